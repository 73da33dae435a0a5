import type { Caller } from '#server/access/guard.ts'
import { requireScope } from '#server/access/requirements.ts'
import { invalid, required } from '#server/errors.ts'
import { compileSchemas } from './compile-schemas.ts'
import { parseQuery } from './parse-query.ts'

/**
 * Checks the query of a tile or template. Any kind is accepted, because a template can come from a service with other
 * kinds; the result of an unknown kind is an error. `attr` is the query's path in the request.
 */
export function requireQuery(query: object, attr = 'query'): void {
  const { kind } = query as { kind?: unknown }
  if (typeof kind === 'string' || isEmpty(query)) return
  if (kind === undefined) throw required(`${attr}__kind`)
  throw invalid(`${attr}__kind`, 'Not a valid string.')
}

/** Checks the query of an insight: it is empty, or valid and of a known kind. */
export async function requireRunnable(query: object): Promise<void> {
  if (isEmpty(query)) return
  await compileSchemas([query])
  parseQuery(query)
}

/** Requires the scope for queries of the caller's own: results show events that no dashboard or insight shows. */
export function requireOwnQuery(caller: Caller, query: object): void {
  if (!isEmpty(query)) requireScope(caller, 'query:read')
}

const isEmpty = (query: object): boolean => Object.keys(query).length === 0
