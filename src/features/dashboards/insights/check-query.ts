import { invalid } from '#server/errors.ts'
import { parseQuery } from '#server/features/results/parse-query.ts'

/**
 * What a tile or a template may hold: it may come from a service that knows other kinds, and says itself that it
 * cannot be answered. `attr` is where the caller has written it.
 */
export function requireQuery(query: object, attr = 'query'): void {
  const { kind } = query as { kind?: unknown }
  if (typeof kind === 'string' || isEmpty(query)) return
  if (kind === undefined) throw invalid(`${attr}__kind`, 'This field is required.', 'required')
  throw invalid(`${attr}__kind`, 'Not a valid string.')
}

/** What an insight may ask: nothing yet, or something that has an answer. */
export function requireRunnable(query: object): void {
  if (!isEmpty(query)) parseQuery(query)
}

const isEmpty = (query: object): boolean => Object.keys(query).length === 0
