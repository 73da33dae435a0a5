import { createContext, use } from 'react'
import { ApiError } from '../../../api/client.ts'

/** What the server refused of the query that is being edited. */
export const QueryProblem = createContext<Error | null>(null)

/** `query__source__series__0__math` is about `series__0__math` of what is edited. */
export const toFieldPath = (attr: string): string => attr.replace(/^query(__source)*(__|$)/, '')

/** What is said about this field, or about something in it that has no field of its own. */
export function useFieldProblem(path: string): string | undefined {
  const problem = use(QueryProblem)
  if (!(problem instanceof ApiError) || problem.attr === null) return undefined
  const at = toFieldPath(problem.attr)
  return at === path || at.startsWith(`${path}__`) ? problem.message : undefined
}
