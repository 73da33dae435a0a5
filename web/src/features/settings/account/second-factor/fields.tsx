import {
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'

const needed = { required: true, withAsterisk: false } as const

export const CurrentPassword = (props: PasswordInputProps) => (
  <PasswordInput label="Current password" autoComplete="current-password" {...needed} {...props} />
)

/** A code that an authenticator app shows, or a recovery code where both are accepted. */
export const CodeField = (props: TextInputProps) => (
  <TextInput label="Code" autoComplete="one-time-code" maxLength={40} {...needed} {...props} />
)
