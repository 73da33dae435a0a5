import { Anchor, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AccountForm } from './account-form.tsx'
import { usePassSecondStep, waysInQuery } from './api.ts'
import { useFirstFocus } from './fields.tsx'
import { AccountFrame } from './frame.tsx'
import { PasskeyButton } from './passkey-button.tsx'

/** Asks for a code after the password was right. */
export function SecondStepPage({ next }: { readonly next: string }) {
  const [isRecovery, setRecovery] = useState(false)
  const ways = useQuery(waysInQuery)
  const kind = isRecovery ? 'recovery' : 'app'
  return (
    <AccountFrame title="Enter your code" about="Your account has a second factor.">
      <Stack>
        {ways.data?.passkeys && <PasskeyButton next={next} />}
        <CodeForm key={kind} isRecovery={isRecovery} next={next} />
        <Group justify="space-between">
          <Anchor
            component="button"
            type="button"
            size="xs"
            onClick={() => setRecovery(!isRecovery)}
          >
            {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
          </Anchor>
          <Anchor size="xs" href="/sign-in">
            Start again
          </Anchor>
        </Group>
      </Stack>
    </AccountFrame>
  )
}

interface CodeFormProps {
  readonly isRecovery: boolean
  readonly next: string
}

function CodeForm({ isRecovery, next }: CodeFormProps) {
  const first = useFirstFocus()
  const form = useForm({ initialValues: { code: '' } })
  const field = isRecovery
    ? ({ label: 'Recovery code', autoComplete: 'off', spellCheck: false } as const)
    : ({
        label: 'Code of your authenticator app',
        autoComplete: 'one-time-code',
        inputMode: 'numeric',
      } as const)
  return (
    <AccountForm
      form={form}
      send={usePassSecondStep()}
      onDone={() => location.assign(next)}
      yes="Sign in"
      problem="Can't sign in"
    >
      <TextInput
        ref={first}
        {...field}
        maxLength={40}
        required
        withAsterisk={false}
        {...form.getInputProps('code')}
      />
    </AccountForm>
  )
}
