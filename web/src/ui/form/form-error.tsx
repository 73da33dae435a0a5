import { ApiError } from '../../api/client.ts'
import { ErrorAlert } from '../page/states.tsx'

/** Converts a validation error to `form.setErrors` input. */
export const toFieldErrors = (error: Error): Record<string, string> =>
  error instanceof ApiError && error.attr ? { [error.attr]: error.message } : {}

interface RefusalProps {
  readonly error: Error | null
  /** The form's values; an error about one of them is shown at its field. */
  readonly values: object
  readonly title?: string | undefined
}

/** Shows an error that belongs to no field of the form. */
export function FormError({ error, values, title }: RefusalProps) {
  if (!error || (error instanceof ApiError && error.attr && error.attr in values)) return null
  return <ErrorAlert error={error} title={title} />
}
