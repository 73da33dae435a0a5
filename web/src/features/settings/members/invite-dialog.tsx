import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { InviteWithLink } from '#server/features/people/invites/schema.ts'
import type { Me } from '#server/features/people/projects/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { Refusal, toFieldErrors } from '../../account/refusal.tsx'
import { ProjectsInput } from '../shared/project-picker.tsx'
import { ROLES } from '../shared/roles.ts'
import { ShownOnce } from '../shared/shown-once.tsx'
import { useInvite } from './api.ts'

interface InviteDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly me: Me
}

export function InviteDialog({ isOpen, onClose, me }: InviteDialogProps) {
  const invite = useInvite()
  const closeAndForget = () => {
    onClose()
    invite.reset()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={closeAndForget}
      size="lg"
      title={invite.data ? 'The invitation is ready' : 'Invite somebody'}
    >
      {invite.data ? (
        <Made invite={invite.data} onClose={closeAndForget} />
      ) : (
        <InviteForm invite={invite} own={me.organization.membership_level} />
      )}
    </Modal>
  )
}

interface InviteFormProps {
  readonly invite: ReturnType<typeof useInvite>
  readonly own: number
}

function InviteForm({ invite, own }: InviteFormProps) {
  const form = useForm({
    initialValues: { email: '', level: '1', projects: [useProjectId()] },
  })
  const make = form.onSubmit(({ email, level, projects }) =>
    invite.mutate(
      {
        email: email.trim() || null,
        level: Number(level) as 1 | 8 | 15,
        projects: level === '1' ? projects : [],
      },
      { onError: (error) => form.setErrors(toFieldErrors(error)) },
    ),
  )
  return (
    <form onSubmit={make}>
      <Stack>
        <Refusal error={invite.error} values={form.values} />
        <TextInput
          label="E-mail"
          type="email"
          data-autofocus
          description="Only this address can accept. Leave it empty for a link that anybody can use, once."
          {...form.getInputProps('email')}
        />
        <Radio.Group label="Role" {...form.getInputProps('level')}>
          <Stack gap="sm" mt={4}>
            {ROLES.map(({ level, name, about }) => (
              <Radio
                key={level}
                value={`${level}`}
                label={name}
                description={level > own ? `${about} Only owners can invite owners.` : about}
                disabled={level > own}
              />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.level === '1' && (
          <ProjectsInput
            label="Projects"
            description="Those they will work in. More can be added later."
            {...form.getInputProps('projects')}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={invite.isPending}>
            Make the invitation
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Made({
  invite,
  onClose,
}: {
  readonly invite: InviteWithLink
  readonly onClose: () => void
}) {
  return (
    <ShownOnce value={invite.link} noun="link">
      <Text size="sm">{wayOf(invite)} It works once, and for 7 days.</Text>
      {invite.mail_problem && (
        <Text size="sm" c="red">
          The e-mail could not be sent: {invite.mail_problem}
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </ShownOnce>
  )
}

function wayOf({ email, mailed }: InviteWithLink): string {
  if (email === null) return 'Whoever opens the link can join: give it only to the one you mean.'
  return mailed ? `It was also sent to ${email}.` : `Send it to ${email}: only they can use it.`
}
