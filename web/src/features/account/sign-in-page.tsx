import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { withQuery } from '../../api/client.ts'
import { Problem } from '../../ui/states.tsx'
import { useSignIn, waysInQuery } from './api.ts'
import { Frame } from './frame.tsx'

export function SignInPage() {
  const { next = '/' } = useSearch({ from: '/sign-in' })
  const ways = useQuery(waysInQuery)
  const signIn = useSignIn()
  const form = useForm({ initialValues: { email: '', password: '' } })
  return (
    <Frame title="Sign in">
      <form
        onSubmit={form.onSubmit((sent) =>
          signIn.mutate(sent, { onSuccess: () => location.assign(next) }),
        )}
      >
        <Stack>
          {ways.data?.oidc && (
            <>
              <Button
                component="a"
                href={withQuery('/sign-in/oidc', { next })}
                variant="default"
                fullWidth
              >
                Sign in with {ways.data.oidc.name}
              </Button>
              <Divider label="or" />
            </>
          )}
          {signIn.error && <Problem error={signIn.error} />}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            data-autofocus
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Sign in
          </Button>
          <Text size="xs" c="dimmed">
            Forgotten? Whoever runs this server makes a link for a new password with
            <code> hedgerow user reset-link</code>.
          </Text>
        </Stack>
      </form>
    </Frame>
  )
}
