import { Button, Group, Input, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId } from '@mantine/hooks'
import { CAN_EDIT, EVERYONE_CAN_EDIT } from '#model/levels.ts'
import type { Collaborator } from '#server/features/dashboards/collaborators/schema.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { userName } from '../../ui/page/user-name.ts'
import { type Member, useInviteCollaborator } from './api.ts'
import { LEVEL_CHOICES, toLevel } from './levels.ts'
import { listDefaultEditors } from './why.ts'

interface InviteFormProps {
  readonly dashboard: Dashboard
  /** null if the user may not list members, undefined until they are loaded. */
  readonly members: readonly Member[] | null | undefined
  readonly invited: readonly Collaborator[]
}

const NOT_RESTRICTED =
  'Everyone in the project can edit now. This takes effect when editing is restricted.'

export function InviteForm({ dashboard, members, invited }: InviteFormProps) {
  const invite = useInviteCollaborator(dashboard.id)
  const fieldId = useId()
  const form = useForm({
    initialValues: { user_uuid: '', level: String(CAN_EDIT) },
    validate: { user_uuid: (value) => (value ? null : 'Choose a person.') },
    onValuesChange: () => invite.reset(),
  })
  const send = form.onSubmit(({ user_uuid, level }) =>
    invite.mutate(
      { user_uuid: user_uuid.trim(), level: toLevel(level) },
      { onSuccess: () => form.reset() },
    ),
  )
  const person = {
    ...form.getInputProps('user_uuid'),
    id: fieldId,
    error: Boolean(form.errors.user_uuid || invite.error),
    flex: 1,
    miw: 180,
  }
  return (
    <form onSubmit={send} noValidate>
      <Input.Wrapper
        label="Invite a person"
        labelProps={{ htmlFor: fieldId }}
        error={form.errors.user_uuid || invite.error?.message}
        description={dashboard.restriction_level === EVERYONE_CAN_EDIT && NOT_RESTRICTED}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      >
        <Group gap="xs" align="flex-start" my={4}>
          {members !== null ? (
            <Select
              {...person}
              searchable
              disabled={!members}
              placeholder={members ? 'Name or e-mail' : 'Loading…'}
              nothingFoundMessage="No matching people in this project"
              data={toChoices(dashboard, members ?? [], invited)}
              limit={50}
            />
          ) : (
            <TextInput {...person} placeholder="User ID" />
          )}
          <Choice
            w={110}
            data={LEVEL_CHOICES}
            aria-label="Permission"
            {...form.getInputProps('level')}
          />
          <Button type="submit" variant="default" loading={invite.isPending}>
            Invite
          </Button>
        </Group>
      </Input.Wrapper>
    </form>
  )
}

/** Leaves out people who can edit already. */
function toChoices(
  dashboard: Dashboard,
  members: readonly Member[],
  invited: readonly Collaborator[],
) {
  const editors = [...invited, ...listDefaultEditors(dashboard, members)]
  const known = new Set(editors.map(({ user }) => user.id))
  return members
    .filter(({ user }) => !known.has(user.id))
    .map(({ user }) => ({ value: user.uuid, label: `${userName(user)} (${user.email})` }))
}
