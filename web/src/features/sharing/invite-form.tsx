import { Button, Group, Input, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId } from '@mantine/hooks'
import { CAN_EDIT, EVERYONE_CAN_EDIT } from '#model/levels.ts'
import type { Collaborator } from '#server/features/dashboards/collaborators/schema.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { userName } from '../../ui/user-name.ts'
import { type Member, useInvite } from './api.ts'
import { LEVEL_CHOICES, toLevel } from './levels.ts'
import { listDefaultEditors } from './why.ts'

interface InviteFormProps {
  readonly dashboard: Dashboard
  /** null: they cannot be listed. */
  readonly members: readonly Member[] | null
  readonly invited: readonly Collaborator[]
}

const NOT_YET =
  'Everyone in the project can edit it now. Invitations begin to count when only invited people can.'

export function InviteForm({ dashboard, members, invited }: InviteFormProps) {
  const invite = useInvite(dashboard.id)
  const fieldId = useId()
  const form = useForm({
    initialValues: { user_uuid: '', level: String(CAN_EDIT) },
    validate: { user_uuid: (value) => (value ? null : 'Choose somebody first.') },
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
        label="Invite somebody"
        labelProps={{ htmlFor: fieldId }}
        error={form.errors.user_uuid || invite.error?.message}
        description={dashboard.restriction_level === EVERYONE_CAN_EDIT && NOT_YET}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      >
        <Group gap="xs" align="flex-start" my={4}>
          {members ? (
            <Select
              {...person}
              searchable
              placeholder="Name or e-mail"
              nothingFoundMessage="Nobody else in this project goes by that."
              data={toChoices(dashboard, members, invited)}
              limit={50}
            />
          ) : (
            <TextInput {...person} placeholder="Their user id" />
          )}
          <Select
            w={110}
            data={LEVEL_CHOICES}
            allowDeselect={false}
            aria-label="What they can do"
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

/** Who is invited already, made it or is an admin needs no invitation. */
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
