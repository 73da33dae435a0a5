import type { ParsedQuery } from '#server/analytics/queries/sql/tree.ts'
import { type ApiError, invalid } from '#server/errors.ts'

export interface SetOperation extends ParsedQuery {
  readonly setop_type: string
  readonly setop_all: boolean
  readonly left: ParsedQuery
  readonly right: ParsedQuery
}

/** Refuses what has no translation: ignoring it could change a number. */
export const untranslatable = (what: string): ApiError =>
  invalid('query', `${what} has no translation for ClickHouse.`)
