import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ProjectLevel } from '#model/levels.ts'
import type { InviteWithLink } from '#server/features/accounts/invites/schema.ts'
import type { Me } from '#server/features/accounts/projects/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { Form } from '../../../ui/form/form-dialog.tsx'
import { SecretOnce } from '../../../ui/page/secret-once.tsx'
import { ProjectsInput } from '../shared/projects-input.tsx'
import { PROJECT_ACCESS, ROLES } from '../shared/roles.ts'
import { useInviteMember } from './api.ts'

interface InviteDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly me: Me
}

export function InviteDialog({ isOpen, onClose, me }: InviteDialogProps) {
  const invite = useInviteMember()
  const closeAndReset = () => {
    onClose()
    invite.reset()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={closeAndReset}
      size="lg"
      title={invite.data ? 'Invitation created' : 'Invite member'}
    >
      {invite.data ? (
        <InviteCreated invite={invite.data} onClose={closeAndReset} />
      ) : (
        <InviteForm invite={invite} ownLevel={me.organization.membership_level} />
      )}
    </Modal>
  )
}

interface InviteFormProps {
  readonly invite: ReturnType<typeof useInviteMember>
  readonly ownLevel: number
}

function InviteForm({ invite, ownLevel }: InviteFormProps) {
  const form = useForm({
    initialValues: {
      email: '',
      level: '1',
      projects: [useProjectId()],
      access: 'member' as ProjectLevel,
    },
  })
  const submit = form.onSubmit(({ email, level, projects, access }) =>
    invite.mutate({
      email: email.trim() || null,
      level: Number(level) as 1 | 8 | 15,
      ...(level === '1' ? { projects, access_level: access } : { projects: [] }),
    }),
  )
  return (
    <Form yes="Create invitation" saving={invite} form={form} onSubmit={submit}>
      <TextInput
        label="E-mail"
        type="email"
        data-autofocus
        description="Only this address can accept. Leave empty for a one-time link anyone can use."
        {...form.getInputProps('email')}
      />
      <Radio.Group label="Role" {...form.getInputProps('level')}>
        <Stack gap="sm" mt={4}>
          {ROLES.map(({ level, name, about }) => (
            <Radio
              key={level}
              value={`${level}`}
              label={name}
              description={level > ownLevel ? `${about} Only owners can invite owners.` : about}
              disabled={level > ownLevel}
            />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.level === '1' && (
        <ProjectsInput
          label="Projects"
          description="Projects the member can access. You can change them later."
          {...form.getInputProps('projects')}
        />
      )}
      {form.values.level === '1' && form.values.projects.length > 0 && (
        <Radio.Group label="Access to these projects" {...form.getInputProps('access')}>
          <Stack gap="sm" mt={4}>
            {PROJECT_ACCESS.map(({ level, name, about }) => (
              <Radio key={level} value={level} label={name} description={about} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </Form>
  )
}

function InviteCreated({
  invite,
  onClose,
}: {
  readonly invite: InviteWithLink
  readonly onClose: () => void
}) {
  return (
    <SecretOnce value={new URL(invite.link, window.location.origin).href} noun="link">
      <Text size="sm">{toInstructions(invite)} The link works once and expires in 7 days.</Text>
      {invite.mail_problem && (
        <Text size="sm" c="red">
          Couldn't send the e-mail: {invite.mail_problem}
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </SecretOnce>
  )
}

function toInstructions({ email, mailed }: InviteWithLink): string {
  if (email === null) return 'Anyone with the link can join, so share it privately.'
  return mailed ? `Also sent to ${email}.` : `Send it to ${email}. Only they can use it.`
}
