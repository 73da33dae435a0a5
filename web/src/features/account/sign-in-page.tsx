import { Alert, Anchor, Button, Divider, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { SignInMethods } from '#server/features/accounts/sessions/schema.ts'
import { withQuery } from '../../api/client.ts'
import { Loading } from '../../ui/page/states.tsx'
import { AccountForm } from './account-form.tsx'
import { openPageOrSecondStep, useSignIn, waysInQuery } from './api.ts'
import { EmailField, KnownPassword, useFirstFocus } from './fields.tsx'
import { AccountFrame } from './frame.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { SecondStepPage } from './second-step.tsx'

const PROVIDER_PROBLEMS: Readonly<Record<string, string>> = {
  unknown_email: 'No user has the e-mail address of that account. Ask an admin to invite you.',
  other_domain: 'Accounts of that domain may not sign in here. Ask an admin to invite you.',
  deactivated: 'Your account is deactivated. Ask an admin.',
  unverified_email: 'The identity provider has not verified your e-mail address.',
  refused: 'The identity provider denied the sign-in.',
  too_late: 'The sign-in expired or started in another browser. Try again.',
  failed: "Can't reach the identity provider, or its response is invalid. See the server log.",
}

export function SignInPage() {
  const { next = '/', problem, step } = useSearch({ from: '/sign-in' })
  const ways = useQuery(waysInQuery)
  if (step === 'code') return <SecondStepPage next={next} />
  if (ways.isPending) {
    return (
      <AccountFrame title="Sign in">
        <Loading lines={6} />
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title="Sign in">
      <Stack>
        {problem && <ProviderProblem problem={problem} />}
        {ways.data?.needs_set_up && (
          <Alert variant="light" title="This server is not set up yet">
            To create the owner account, open the set-up link that the server printed when it first
            started.
          </Alert>
        )}
        {ways.data?.passkeys && !ways.data.oidc?.is_only && <PasskeyButton next={next} />}
        {ways.data?.oidc && <ProviderButton name={ways.data.oidc.name} next={next} />}
        {ways.data?.oidc?.is_only ? (
          <EmergencyDoor next={next} ways={ways.data} />
        ) : (
          <PasswordWay next={next} ways={ways.data} />
        )}
      </Stack>
    </AccountFrame>
  )
}

interface WayProps {
  readonly next: string
  /** undefined: the server did not respond. */
  readonly ways: SignInMethods | undefined
}

function PasswordWay({ next, ways }: WayProps) {
  return (
    <>
      {ways?.oidc?.is_only && ways.passkeys && <PasskeyButton next={next} />}
      {(ways?.oidc || ways?.passkeys) && <Divider label="or" />}
      <PasswordForm next={next} />
      <Text size="xs" c="dimmed">
        {ways?.mails_reset_links ? (
          <Anchor href="/reset-password">Forgot your password?</Anchor>
        ) : (
          <>
            Forgot your password? Ask your admin to run <code>hedgerow user reset-link</code>.
          </>
        )}
      </Text>
    </>
  )
}

/** Keeps the password out of the way where only owners can use it. */
function EmergencyDoor(props: WayProps) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <PasswordWay {...props} />
  return (
    <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
      Sign in as owner with password
    </Button>
  )
}

function ProviderProblem({ problem }: { readonly problem: string }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
      {PROVIDER_PROBLEMS[problem] ?? PROVIDER_PROBLEMS.failed}
    </Alert>
  )
}

function ProviderButton({ name, next }: { readonly name: string; readonly next: string }) {
  return (
    <Button component="a" href={withQuery('/sign-in/oidc', { next })} variant="default" fullWidth>
      Sign in with {name}
    </Button>
  )
}

function PasswordForm({ next }: { readonly next: string }) {
  const first = useFirstFocus()
  const form = useForm({ initialValues: { email: '', password: '' } })
  return (
    <AccountForm
      form={form}
      send={useSignIn()}
      onDone={(step) => openPageOrSecondStep(step, next)}
      yes="Sign in"
      problem="Can't sign in"
    >
      <EmailField ref={first} {...form.getInputProps('email')} />
      <KnownPassword {...form.getInputProps('password')} />
    </AccountForm>
  )
}
