import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { LEVELS } from '../../api/session.ts'
import { Shown } from '../../ui/states.tsx'
import { type InviteInfo, inviteQuery, useAcceptInvite } from './api.ts'
import { Frame } from './frame.tsx'
import { checkPassword, NewPassword } from './new-password.tsx'
import { Refusal, toFieldErrors } from './refusal.tsx'

export function InvitePage() {
  const { token } = useParams({ from: '/invite/$token' })
  return (
    <Frame title="You are invited">
      <Shown of={useQuery(inviteQuery(token))}>
        {(invite) => <AcceptForm token={token} invite={invite} />}
      </Shown>
    </Frame>
  )
}

function AcceptForm({ token, invite }: { readonly token: string; readonly invite: InviteInfo }) {
  const accept = useAcceptInvite(token)
  const form = useForm({
    initialValues: { first_name: '', email: invite.email ?? '', password: '' },
    validate: { password: checkPassword },
  })
  return (
    <form
      onSubmit={form.onSubmit((sent) =>
        accept.mutate(sent, {
          onSuccess: () => location.assign('/'),
          onError: (error) => form.setErrors(toFieldErrors(error)),
        }),
      )}
    >
      <Stack>
        <Refusal error={accept.error} values={form.values} />
        <TextInput
          label="Your name"
          autoComplete="name"
          maxLength={150}
          required
          withAsterisk={false}
          {...form.getInputProps('first_name')}
        />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          readOnly={invite.email !== null}
          {...form.getInputProps('email')}
        />
        <NewPassword {...form.getInputProps('password')} />
        <Button type="submit" loading={accept.isPending} fullWidth>
          Join {invite.organization} as {LEVELS[invite.level]?.toLowerCase()}
        </Button>
      </Stack>
    </form>
  )
}
