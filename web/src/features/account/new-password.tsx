import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** As the server has it. */
export const MIN_PASSWORD = 10

export const checkPassword = (password: string): string | null =>
  password.length < MIN_PASSWORD ? `At least ${MIN_PASSWORD} characters.` : null

export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="Password"
      description={`At least ${MIN_PASSWORD} characters. A few words are easier to remember.`}
      autoComplete="new-password"
      required
      withAsterisk={false}
      {...props}
    />
  )
}
