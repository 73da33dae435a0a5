import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import { Form } from '../../ui/form/form-dialog.tsx'
import { toAlertErrors } from './alert-values.ts'
import { useSaveAlert } from './api.ts'
import { WATCHED } from './labels.ts'
import type { NotificationFormProps } from './notification-list.tsx'
import { TargetFields } from './target-fields.tsx'
import {
  findAddressProblem,
  NEW_TARGET,
  type TargetValues,
  toTarget,
  toTargetValues,
} from './target-values.ts'

const MAX_TARGETS = 10

type Watched = NonNullable<Alert['on']>[number]

interface ImportAlertValues {
  readonly name: string
  readonly on: readonly Watched[]
  readonly targets: readonly TargetValues[]
}

/** Creates or edits an alert on an import. */
export function ImportAlertForm({ item, of, onDone }: NotificationFormProps<Alert>) {
  const save = useSaveAlert(item?.id)
  const form = useForm<ImportAlertValues>({
    initialValues: {
      name: item?.name ?? '',
      on: item?.on ?? ['failed', 'stale', 'recovered'],
      targets: item ? item.targets.map(toTargetValues) : [NEW_TARGET],
    },
    validate: {
      on: (on) => (on.some((each) => each !== 'recovered') ? null : 'Choose what to watch.'),
      targets: { address: findAddressProblem },
    },
  })
  const { targets } = form.values
  const subscribers = item?.subscribed_users ?? []
  const submit = form.onSubmit(({ name, on, targets: to }) => {
    const given = name.trim() || item?.resource_name
    const source = { kind: 'import' as const, config: of?.config ?? 0 }
    const sent = { ...(given && { name: given }), on: [...on], targets: to.map(toTarget) }
    save.mutate(item ? sent : { source, ...sent }, {
      onSuccess: ({ signing_secret }) =>
        onDone(to.some(({ type }) => type === 'webhook') ? signing_secret : undefined),
      onError: (error) => form.setErrors(toAlertErrors(error)),
    })
  })
  return (
    <Form
      yes={item ? 'Save alert' : 'Create alert'}
      saving={{
        isPending: save.isPending,
        error: Object.keys(form.errors).length > 0 ? null : save.error,
      }}
      onSubmit={submit}
      extra={
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} />}
          disabled={targets.length >= MAX_TARGETS}
          onClick={() => form.insertListItem('targets', NEW_TARGET)}
        >
          Add recipient
        </Button>
      }
    >
      <TextInput
        label="Name"
        placeholder={item?.resource_name || of?.name || "Defaults to the import's name"}
        maxLength={255}
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Notify when" {...form.getInputProps('on')}>
        <Stack gap="xs" mt={4}>
          {Object.entries(WATCHED).map(([value, label]) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      {targets.map(({ type }, index) => (
        <TargetFields
          // biome-ignore lint/suspicious/noArrayIndexKey: targets are identified by position
          key={index}
          type={type}
          typeProps={form.getInputProps(`targets.${index}.type`)}
          addressProps={form.getInputProps(`targets.${index}.address`)}
          formatProps={form.getInputProps(`targets.${index}.format`)}
          onRemove={
            targets.length > 1 || subscribers.length > 0
              ? () => form.removeListItem('targets', index)
              : undefined
          }
        />
      ))}
      {subscribers.length > 0 && (
        <Text size="sm" c="dimmed">
          Also notifies {subscribers.map(({ email }) => email).join(', ')}.
        </Text>
      )}
    </Form>
  )
}
