import { useForm } from '@mantine/form'
import { useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loading } from '../../ui/page/states.tsx'
import { AccountForm } from './account-form.tsx'
import { openPageOrSecondStep, useMailResetLink, useResetPassword, waysInQuery } from './api.ts'
import { EmailField, findPasswordProblem, NewPasswordField, useFirstFocus } from './fields.tsx'
import { AccountFrame } from './frame.tsx'
import { NoLink } from './no-link.tsx'
import { linkToken } from './search.ts'

const TITLE = 'Reset password'

export function ResetPasswordPage() {
  return linkToken() ? <PasswordForm /> : <WithoutLink />
}

function WithoutLink() {
  const ways = useQuery(waysInQuery)
  // a link that is pasted here changes only the hash
  useWindowEvent('hashchange', () => location.reload())
  if (ways.isPending) {
    return (
      <AccountFrame title={TITLE}>
        <Loading lines={4} />
      </AccountFrame>
    )
  }
  if (ways.data?.mails_reset_links) return <MailForm />
  return (
    <NoLink title={TITLE}>
      This page needs a link. Ask your admin to run <code>hedgerow user reset-link</code>.
    </NoLink>
  )
}

function MailForm() {
  const first = useFirstFocus()
  const send = useMailResetLink()
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({ initialValues: { email: '' } })
  if (sentTo !== undefined) {
    return (
      <NoLink title={TITLE}>
        If {sentTo} has an account with a password, a link to reset it is on its way. It works once,
        for an hour.
      </NoLink>
    )
  }
  return (
    <AccountFrame title={TITLE} about="We'll mail you a link to set a new one.">
      <AccountForm
        form={form}
        send={send}
        onDone={() => setSentTo(form.getValues().email)}
        yes="Send link"
        problem="Can't send the link"
      >
        <EmailField ref={first} {...form.getInputProps('email')} />
      </AccountForm>
    </AccountFrame>
  )
}

function PasswordForm() {
  const first = useFirstFocus()
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: findPasswordProblem },
  })
  return (
    <AccountFrame title={TITLE} about="You'll be signed in here and signed out everywhere else.">
      <AccountForm
        form={form}
        send={useResetPassword(linkToken())}
        onDone={(step) => openPageOrSecondStep(step, '/')}
        yes="Set password"
        problem="Can't set password"
      >
        <NewPasswordField ref={first} {...form.getInputProps('password')} />
      </AccountForm>
    </AccountFrame>
  )
}
