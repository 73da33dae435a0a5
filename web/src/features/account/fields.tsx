import {
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import { MIN_PASSWORD } from '#model/limits.ts'

/** Every field is required, so none has an asterisk. */
const needed = { required: true, withAsterisk: false } as const

/** Finds what is wrong with a password, by the rule of the server. */
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

/** Focuses the first field of a form page on mount. */
export function useFirstFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}
