import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ApiError } from '../../api/client.ts'
import { ROLE_NAMES } from '../../api/session.ts'
import { Loading, QueryContent } from '../../ui/page/states.tsx'
import { AccountForm } from './account-form.tsx'
import { type InvitePreview, inviteQuery, useAcceptInvite } from './api.ts'
import {
  EmailField,
  findPasswordProblem,
  NameField,
  NewPasswordField,
  useFirstFocus,
} from './fields.tsx'
import { AccountFrame } from './frame.tsx'
import { NoLink } from './no-link.tsx'

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
    <AccountFrame title="You're invited" about={about}>
      <QueryContent query={invite} loading={<Loading lines={4} />}>
        {(info) => <AcceptForm token={token} invite={info} />}
      </QueryContent>
    </AccountFrame>
  )
}

function AcceptForm({ token, invite }: { readonly token: string; readonly invite: InvitePreview }) {
  const first = useFirstFocus()
  const form = useForm({
    initialValues: { name: '', email: invite.email ?? '', password: '' },
    validate: { password: findPasswordProblem },
  })
  return (
    <AccountForm
      form={form}
      send={useAcceptInvite(token)}
      onDone={() => location.assign('/')}
      yes={`Join as ${ROLE_NAMES[invite.level]?.toLowerCase()}`}
    >
      <NameField ref={first} {...form.getInputProps('name')} />
      <EmailField
        readOnly={invite.email !== null}
        {...(invite.email !== null && { description: 'The invitation is for this address only.' })}
        {...form.getInputProps('email')}
      />
      <NewPasswordField {...form.getInputProps('password')} />
    </AccountForm>
  )
}
