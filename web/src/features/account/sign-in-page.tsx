import { Alert, Button, Divider, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { withQuery } from '../../api/client.ts'
import { AccountForm } from './account-form.tsx'
import { useSignIn, waysInQuery } from './api.ts'
import { EmailField, KnownPassword } from './fields.tsx'
import { useFirstFocus } from './first-focus.ts'
import { Frame } from './frame.tsx'

const PROVIDER_PROBLEMS: Readonly<Record<string, string>> = {
  unknown_email:
    'Nobody here has the e-mail of your account there. Ask an admin to invite you first.',
  unverified_email: 'The provider has not verified your e-mail, so it cannot tell who you are.',
  refused: 'The provider did not sign you in.',
  too_late: 'That took too long, or began in another browser. Try again.',
  failed: 'The provider cannot be reached, or its answer is not valid. The server’s log says more.',
}

export function SignInPage() {
  const { next = '/', problem } = useSearch({ from: '/sign-in' })
  return (
    <Frame title="Sign in">
      <Stack>
        {problem && <ProviderProblem problem={problem} />}
        <ProviderButton next={next} />
        <PasswordForm next={next} />
        <Text size="xs" c="dimmed">
          Forgotten? Whoever runs this server makes a link for a new password with{' '}
          <code>hedgerow user reset-link</code>.
        </Text>
      </Stack>
    </Frame>
  )
}

function ProviderProblem({ problem }: { readonly problem: string }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
      {PROVIDER_PROBLEMS[problem] ?? PROVIDER_PROBLEMS.failed}
    </Alert>
  )
}

function ProviderButton({ next }: { readonly next: string }) {
  const { data } = useQuery(waysInQuery)
  if (!data?.oidc) return null
  return (
    <>
      <Button component="a" href={withQuery('/sign-in/oidc', { next })} variant="default" fullWidth>
        Sign in with {data.oidc.name}
      </Button>
      <Divider label="or" />
    </>
  )
}

function PasswordForm({ next }: { readonly next: string }) {
  const first = useFirstFocus()
  const form = useForm({ initialValues: { email: '', password: '' } })
  return (
    <AccountForm form={form} send={useSignIn()} onDone={() => location.assign(next)} yes="Sign in">
      <EmailField ref={first} {...form.getInputProps('email')} />
      <KnownPassword {...form.getInputProps('password')} />
    </AccountForm>
  )
}
