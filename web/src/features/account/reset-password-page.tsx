import { useForm } from '@mantine/form'
import { AccountForm } from './account-form.tsx'
import { useResetPassword } from './api.ts'
import { findPasswordProblem, NewPasswordField, useFirstFocus } from './fields.tsx'
import { AccountFrame } from './frame.tsx'
import { NoLink } from './no-link.tsx'
import { linkToken } from './search.ts'

const TITLE = 'Reset password'

export function ResetPasswordPage() {
  if (linkToken()) return <PasswordForm />
  return (
    <NoLink title={TITLE}>
      This page needs a link. Ask your admin to run <code>hedgerow user reset-link</code>.
    </NoLink>
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
        onDone={() => location.assign('/')}
        yes="Set password"
        problem="Can't set password"
      >
        <NewPasswordField ref={first} {...form.getInputProps('password')} />
      </AccountForm>
    </AccountFrame>
  )
}
