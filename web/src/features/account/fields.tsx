import {
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { MIN_PASSWORD } from '#model/password.ts'

/** Every field is required, so none has an asterisk. */
const needed = { required: true, withAsterisk: false } as const

/** Same minimum as on the server. */
export const findPasswordProblem = (password: string): string | null =>
  password.length < MIN_PASSWORD ? `Use at least ${MIN_PASSWORD} characters.` : null

export const NameField = (props: TextInputProps) => (
  <TextInput label="Your name" autoComplete="name" maxLength={150} {...needed} {...props} />
)

export const EmailField = (props: TextInputProps) => (
  <TextInput label="E-mail" type="email" autoComplete="username" {...needed} {...props} />
)

export const NewPasswordField = (props: PasswordInputProps) => (
  <PasswordInput
    label="Password"
    description={`At least ${MIN_PASSWORD} characters. Several words are easy to remember.`}
    autoComplete="new-password"
    {...needed}
    {...props}
  />
)

export const KnownPassword = (props: PasswordInputProps) => (
  <PasswordInput label="Password" autoComplete="current-password" {...needed} {...props} />
)
