import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Problem } from '../../ui/states.tsx'
import { useResetPassword } from './api.ts'
import { Frame } from './frame.tsx'
import { checkPassword, NewPassword } from './new-password.tsx'
import { readToken } from './token.ts'

export function ResetPasswordPage() {
  const reset = useResetPassword()
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: checkPassword },
  })
  return (
    <Frame title="A new password" about="You are signed out everywhere else.">
      <form
        onSubmit={form.onSubmit(({ password }) =>
          reset.mutate({ token: readToken(), password }, { onSuccess: () => location.assign('/') }),
        )}
      >
        <Stack>
          {reset.error && <Problem error={reset.error} />}
          <NewPassword {...form.getInputProps('password')} />
          <Button type="submit" loading={reset.isPending} fullWidth>
            Set the password
          </Button>
        </Stack>
      </form>
    </Frame>
  )
}
