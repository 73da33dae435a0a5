import {
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'

/** Everything is asked for, so nothing is marked as such. */
const needed = { required: true, withAsterisk: false } as const

/** As the server has it. */
export const MIN_PASSWORD = 10

export const checkPassword = (password: string): string | null =>
  password.length < MIN_PASSWORD ? `At least ${MIN_PASSWORD} characters.` : null

export const NameField = (props: TextInputProps) => (
  <TextInput label="Your name" autoComplete="name" maxLength={150} {...needed} {...props} />
)

export const EmailField = (props: TextInputProps) => (
  <TextInput label="E-mail" type="email" autoComplete="username" {...needed} {...props} />
)

export const NewPassword = (props: PasswordInputProps) => (
  <PasswordInput
    label="Password"
    description={`At least ${MIN_PASSWORD} characters. A few words are easier to remember.`}
    autoComplete="new-password"
    {...needed}
    {...props}
  />
)

export const KnownPassword = (props: PasswordInputProps) => (
  <PasswordInput label="Password" autoComplete="current-password" {...needed} {...props} />
)
