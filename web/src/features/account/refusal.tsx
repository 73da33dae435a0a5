import { ApiProblem } from '../../api/client.ts'
import { Problem } from '../../ui/states.tsx'

/** For `form.setErrors`: what the server refused, at the field it is about. */
export const toFieldErrors = (error: Error): Record<string, string> =>
  error instanceof ApiProblem && error.attr ? { [error.attr]: error.message } : {}

interface RefusalProps {
  readonly error: Error | null
  /** What has a field in the form, and so says it there. */
  readonly values: object
}

/** What was refused and has no field to stand at. */
export function Refusal({ error, values }: RefusalProps) {
  if (!error || (error instanceof ApiProblem && error.attr && error.attr in values)) return null
  return <Problem error={error} />
}
