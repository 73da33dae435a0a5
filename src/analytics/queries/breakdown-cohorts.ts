import { sql } from 'kysely'
import { invalid } from '#server/errors.ts'
import type { EventTable, Sql } from '../event-table.ts'
import type { Breakdown } from './breakdown.ts'
import type { CohortSets } from './cohort-definitions.ts'
import type { FilterContext } from './filters.ts'

/** Stands for everyone, with or without a profile. */
const ALL = 'all'

/** A cohort that a result is broken down by. */
export interface BreakdownCohort {
  /** The ID as text, or `all`. */
  readonly value: string
  /** Absent for everyone. */
  readonly id?: number
  readonly name: string
  readonly attr: string
}

/** Breaks down by all of the cohorts, in the order in which they are given. */
export function byCohorts(
  keys: readonly (string | number)[],
  { loaded }: CohortSets,
  attr: string,
): Breakdown {
  const values = new Set(keys.map(String))
  const cohorts = [...values].map((value) => toCohort(value, loaded, attr))
  return { by: [], cohorts, limit: cohorts.length, hidesOther: true }
}

function toCohort(value: string, loaded: CohortSets['loaded'], attr: string): BreakdownCohort {
  if (value === ALL) return { value, name: 'All persons', attr }
  const cohort = loaded.find(({ id }) => String(id) === value)
  if (cohort) return { value, id: cohort.id, name: cohort.name, attr }
  if (/^[1-9]\d{0,15}$/.test(value)) {
    throw invalid(attr, `Cohort ${value} does not exist.`, 'does_not_exist')
  }
  throw invalid(attr, 'Enter the IDs of cohorts, or "all".', 'invalid_choice')
}

/** Matches the events of a cohort's persons. */
export const isOfCohort = (
  table: EventTable,
  { id, attr }: BreakdownCohort,
  { cohorts }: FilterContext,
): Sql => (id === undefined ? sql`true` : sql`e.person in (${cohorts.numbersOf(table, id, attr)})`)
