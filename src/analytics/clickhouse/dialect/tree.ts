import type { ParsedQuery } from '#server/analytics/queries/sql/tree.ts'

export interface SetOperation extends ParsedQuery {
  readonly setop_type: string
  readonly setop_all: boolean
  readonly left: ParsedQuery
  readonly right: ParsedQuery
}

/** Refuses what has no translation: ignoring it could change a number. */
export const untranslatable = (what: string): Error =>
  new Error(`${what} has no translation for ClickHouse.`)
