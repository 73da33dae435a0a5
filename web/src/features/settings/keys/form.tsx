import { Chip, Group, Input, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { PersonalApiKey } from '#server/features/accounts/api-keys/schema.ts'
import { Form } from '../../../ui/form/form-dialog.tsx'
import { ProjectsInput } from '../shared/projects-input.tsx'
import { useCreateKey, usePatchKey } from './api.ts'
import { ExpiryInput, toExpiry } from './expiry.tsx'
import { SCOPE_PRESETS } from './scopes.ts'
import { ScopesInput } from './scopes-input.tsx'

interface KeyFormProps {
  /** undefined to create a new key. */
  readonly apiKey?: PersonalApiKey
  /** Receives the key, with its value if it is new. */
  readonly onDone: (key: PersonalApiKey) => void
}

const sameScopes = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join() === b.toSorted().join()

export function KeyForm({ apiKey, onDone }: KeyFormProps) {
  const create = useCreateKey()
  const patch = usePatchKey()
  const form = useForm({
    initialValues: {
      label: apiKey?.label ?? '',
      scopes: apiKey?.scopes ?? ['dashboard:read', 'insight:read'],
      scoped_teams: apiKey?.scoped_teams ?? [],
      expires_at: apiKey ? 'keep' : '90',
    },
    validate: {
      scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one permission.' : null),
    },
  })
  const { scopes } = form.values
  const preset = SCOPE_PRESETS.find((each) => sameScopes(each.scopes, scopes))
  const save = form.onSubmit(({ label, scoped_teams, expires_at }) => {
    const sent = { label, scopes, scoped_teams, ...toExpiry(expires_at) }
    const callbacks = {
      onSuccess: onDone,
    }
    if (apiKey) patch.mutate({ id: apiKey.id, patch: sent }, callbacks)
    else create.mutate(sent, callbacks)
  })
  return (
    <Form
      yes={apiKey ? 'Save key' : 'Create key'}
      saving={apiKey ? patch : create}
      form={form}
      onSubmit={save}
    >
      <TextInput
        label="Name"
        description="Describe what it is for."
        placeholder="Nightly report"
        required
        maxLength={40}
        data-autofocus
        {...form.getInputProps('label')}
      />
      <Input.Wrapper label="Permissions" labelElement="div" error={form.errors.scopes}>
        <Chip.Group
          value={preset?.name ?? ''}
          onChange={(name) =>
            form.setFieldValue('scopes', [
              ...(SCOPE_PRESETS.find((each) => each.name === name)?.scopes ?? scopes),
            ])
          }
        >
          <Group gap="xs" mt={4}>
            {SCOPE_PRESETS.map(({ name }) => (
              <Chip key={name} value={name} size="xs">
                {name}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <ScopesInput value={scopes} onChange={(chosen) => form.setFieldValue('scopes', chosen)} />
      </Input.Wrapper>
      <ProjectsInput
        label="Projects"
        description="Leave empty for all your projects, including future ones."
        placeholder={form.values.scoped_teams.length === 0 ? 'All projects' : undefined}
        {...form.getInputProps('scoped_teams')}
      />
      <ExpiryInput current={apiKey} {...form.getInputProps('expires_at')} />
    </Form>
  )
}
