import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ApiError } from '../../api/client.ts'
import { ROLE_NAMES } from '../../api/session.ts'
import { Loading, QueryContent } from '../../ui/states.tsx'
import { AccountForm } from './account-form.tsx'
import { type InviteInfo, inviteQuery, useAcceptInvite } from './api.ts'
import { checkPassword, EmailField, NameField, NewPassword } from './fields.tsx'
import { Frame } from './frame.tsx'
import { NoLink } from './no-link.tsx'
import { useFirstFocus } from './use-first-focus.ts'

export function InvitePage() {
  const { token } = useParams({ from: '/invite/$token' })
  const invite = useQuery(inviteQuery(token))
  if (invite.error instanceof ApiError && invite.error.status === 404) {
    return (
      <NoLink title="Invitation no longer valid">
        It was accepted, revoked or has expired. Ask the sender for a new one.
      </NoLink>
    )
  }
  const about = invite.data && `Join ${invite.data.organization} on Hedgerow.`
  return (
    <Frame title="You're invited" about={about}>
      <QueryContent query={invite} loading={<Loading lines={4} />}>
        {(info) => <AcceptForm token={token} invite={info} />}
      </QueryContent>
    </Frame>
  )
}

function AcceptForm({ token, invite }: { readonly token: string; readonly invite: InviteInfo }) {
  const first = useFirstFocus()
  const form = useForm({
    initialValues: { first_name: '', email: invite.email ?? '', password: '' },
    validate: { password: checkPassword },
  })
  return (
    <AccountForm
      form={form}
      send={useAcceptInvite(token)}
      onDone={() => location.assign('/')}
      yes={`Join as ${ROLE_NAMES[invite.level]?.toLowerCase()}`}
    >
      <NameField ref={first} {...form.getInputProps('first_name')} />
      <EmailField
        readOnly={invite.email !== null}
        {...(invite.email !== null && { description: 'The invitation is for this address only.' })}
        {...form.getInputProps('email')}
      />
      <NewPassword {...form.getInputProps('password')} />
    </AccountForm>
  )
}
