import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useResetPassword } from './api.ts'
import { useFirstFocus } from './first-focus.ts'
import { Frame } from './frame.tsx'
import { checkPassword, NewPassword } from './new-password.tsx'
import { NoLink } from './no-link.tsx'
import { Refusal, toFieldErrors } from './refusal.tsx'
import { readToken } from './token.ts'

const TITLE = 'A new password'

export function ResetPasswordPage() {
  if (readToken()) return <PasswordForm />
  return (
    <NoLink title={TITLE}>
      This needs a link, which whoever runs the server makes with{' '}
      <code>hedgerow user reset-link</code>.
    </NoLink>
  )
}

function PasswordForm() {
  const reset = useResetPassword()
  const first = useFirstFocus()
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: checkPassword },
  })
  return (
    <Frame title={TITLE} about="You are signed in here then, and signed out everywhere else.">
      <form
        onSubmit={form.onSubmit(({ password }) =>
          reset.mutate(
            { token: readToken(), password },
            {
              onSuccess: () => location.assign('/'),
              onError: (error) => form.setErrors(toFieldErrors(error)),
            },
          ),
        )}
      >
        <Stack>
          <Refusal error={reset.error} values={form.values} />
          <NewPassword ref={first} {...form.getInputProps('password')} />
          <Button type="submit" loading={reset.isPending || reset.isSuccess} fullWidth>
            Set the password
          </Button>
        </Stack>
      </form>
    </Frame>
  )
}
