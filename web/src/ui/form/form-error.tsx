import { useEffect } from 'react'
import { ApiError } from '../../api/client.ts'
import { ErrorAlert } from '../page/states.tsx'

/** A form of `useForm`. */
export interface FormState {
  /** By field. */
  readonly values: object
  readonly setErrors: (errors: Record<string, string>) => void
}

interface FormErrorProps {
  readonly error: Error | null
  readonly form?: FormState | undefined
  readonly title?: string | undefined
}

/** Shows an error at the field of the form that it is about, or here if it is about none. */
export function FormError({ error, form, title }: FormErrorProps) {
  const { values = {}, setErrors } = form ?? {}
  useEffect(() => {
    if (error instanceof ApiError && error.attr) setErrors?.({ [error.attr]: error.message })
  }, [error, setErrors])
  if (!error || (error instanceof ApiError && error.attr && error.attr in values)) return null
  return <ErrorAlert error={error} title={title} />
}
