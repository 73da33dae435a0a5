import { createContext, use } from 'react'
import { ApiError } from '../../../api/client.ts'

/** The server's error about the edited query. */
export const QueryErrorContext = createContext<Error | null>(null)

/** Strips the wrapper: `query__source__series__0__math` becomes `series__0__math`. */
export const toFieldPath = (attr: string): string => attr.replace(/^query(__source)*(__|$)/, '')

/** Finds the error about this field, or about a part of it that has no field. */
export function useFieldError(path: string): string | undefined {
  const problem = use(QueryErrorContext)
  if (!(problem instanceof ApiError) || problem.attr === null) return undefined
  const at = toFieldPath(problem.attr)
  return at === path || at.startsWith(`${path}__`) ? problem.message : undefined
}
