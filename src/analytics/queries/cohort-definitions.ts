import { listFilters } from '#model/actions.ts'
import type { CohortCondition, CohortGroup } from '#model/cohort-filters.schema.ts'
import { invalid } from '#server/errors.ts'
import type { EventTable, Sql } from '../event-table.ts'

export interface Cohort {
  readonly id: number
  readonly name: string
  readonly definition:
    | { readonly group: CohortGroup }
    /** The distinct IDs of a static cohort's members. */
    | { readonly members: readonly string[] }
}

/** Cohorts by ID: those that a query names, and those that they refer to. */
export type Cohorts = ReadonlyMap<number, Cohort>

/** Selects the persons of the cohorts that a query names. */
export interface CohortSets {
  /** Selects the numbers of a cohort's persons. Throws if the cohort does not exist. */
  numbersOf(table: EventTable, id: number, attr: string): Sql
  /** The event properties that the cohorts read. */
  readonly properties: readonly string[]
  /** The cohorts that are loaded, for SQL that names them. */
  readonly loaded: readonly Cohort[]
}

export const NO_COHORTS: CohortSets = {
  numbersOf: (_table, id, attr) => {
    throw unknownCohort(id, attr)
  },
  properties: [],
  loaded: [],
}

/** Deeper nesting helps no reader and burdens the database. */
const MAX_DEPTH = 5
/** Each condition is a subquery. */
const MAX_CONDITIONS = 200

/** Stands for the ID of a cohort that is about to be created. */
export const UNSAVED = 0

export function requireCohort(cohorts: Cohorts, id: number, attr: string): Cohort {
  const cohort = cohorts.get(id)
  if (cohort) return cohort
  throw unknownCohort(id, attr)
}

const unknownCohort = (id: number, attr: string) =>
  invalid(attr, `Cohort ${id} does not exist.`, 'does_not_exist')

/** Refuses cohorts that contain themselves, contain unknown ones, or are too large. */
export function requireSound(cohorts: Cohorts, id: number, attr: string): void {
  let conditions = 0
  visit(requireCohort(cohorts, id, attr), [], attr)

  function visit(cohort: Cohort, parents: readonly number[], at: string): void {
    if (parents.includes(cohort.id)) throw invalid(at, `Cohort ${cohort.id} contains itself.`)
    if (parents.length > MAX_DEPTH) {
      throw invalid(at, `Cohorts can be nested ${MAX_DEPTH} deep.`)
    }
    if ('members' in cohort.definition) return
    for (const { condition, path } of conditionsIn(cohort.definition.group, `${at}__properties`)) {
      conditions++
      if (conditions > MAX_CONDITIONS) {
        throw invalid(
          attr,
          `A cohort has at most ${MAX_CONDITIONS} conditions, nested ones included.`,
        )
      }
      if (condition.type !== 'cohort') continue
      const inner = requireCohort(cohorts, condition.value, `${path}__value`)
      visit(inner, [...parents, cohort.id], parents.length === 0 ? `${path}__value` : at)
    }
  }
}

interface Located {
  readonly condition: CohortCondition
  readonly path: string
}

export function conditionsIn(group: CohortGroup, attr = ''): readonly Located[] {
  return group.values.flatMap((each, index) => {
    const path = `${attr}__values__${index}`
    return 'values' in each ? conditionsIn(each, path) : [{ condition: each, path }]
  })
}

/** Returns the event properties that the conditions of a cohort read. */
export function cohortProperties(cohorts: Cohorts): string[] {
  const groups = [...cohorts.values()].flatMap(({ definition }) =>
    'group' in definition ? [definition.group] : [],
  )
  const conditions = groups.flatMap((group) => conditionsIn(group))
  return conditions.flatMap(({ condition }) =>
    condition.type === 'behavioral'
      ? [...(condition.event_filters ?? []), ...listFilters(condition.action?.rules)].flatMap(
          ({ type, key }) => (type === 'event_metadata' ? [] : [key]),
        )
      : [],
  )
}
