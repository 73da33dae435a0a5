import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { type Cohort, type CohortSets, conditionsIn } from '../cohort-definitions.ts'
import { compile } from './compile-node.ts'
import { refuse, SQL_ATTR } from './errors.ts'
import type { NameScope } from './scope.ts'
import { addSizes, ONE, type PlanSize, timesSize } from './size.ts'
import { childrenOf, type Node, readConstant } from './tree.ts'
import { type Expression, expression } from './types.ts'

/** Each is a subquery of the table `cohort_people`. */
const MAX_COHORTS = 50

/** Compiles `person_id in cohort 5`, which is parsed as `contains(cohort(5), person_id)`. */
export function compileInCohort(
  name: string,
  node: Node,
  scope: NameScope,
): Expression | undefined {
  const [cohort, person] = childrenOf(node)
  if (name !== 'contains' || !person || !isCohort(cohort)) return undefined
  const { cohorts } = scope.context
  const value = compile(person, scope)
  if (value.type !== 'String') throw refuse('IN COHORT compares the UUID of a person: person_id.')
  const { id } = findCohort(cohorts, readConstant(childrenOf(cohort)[0]))
  const isMember = expression(
    'Boolean',
    [value],
    (table, uuid) => sql`((${uuid}) in (${selectUuids(table, cohorts, id)}))`,
  )
  return { ...isMember, ...addSizes(isMember, sizeOfCohort(cohorts, id)) }
}

const isCohort = (node: Node | undefined): node is Node =>
  node?.class === 'FUNCTION' && node.function_name === 'cohort' && childrenOf(node).length === 1

function findCohort({ loaded }: CohortSets, given: unknown): Cohort {
  const found = loaded.filter(({ id, name }) => id === given || name === given)
  const [first, ...others] = found
  const shown = JSON.stringify(given ?? null).slice(0, 100)
  if (!first) throw refuse(`There is no cohort ${shown}. Write its ID or its name in quotes.`)
  if (others.length === 0) return first
  throw refuse(`Several cohorts are called ${shown}. Write the ID of one.`)
}

/** The weight of a condition of a cohort, each of which is a subquery. */
const CONDITION = 20

/** Adds up the conditions of a cohort and of those that it refers to; `requireSound` limits them. */
export function sizeOfCohort(cohorts: CohortSets, id: number): PlanSize {
  const definition = cohorts.loaded.find((cohort) => cohort.id === id)?.definition
  if (!definition || 'members' in definition) return timesSize(ONE, CONDITION)
  const sizes = conditionsIn(definition.group).map(({ condition }) =>
    condition.type === 'cohort'
      ? sizeOfCohort(cohorts, condition.value)
      : timesSize(ONE, CONDITION),
  )
  return addSizes(ONE, ...sizes)
}

export const sizeOfCohortPeople = (cohorts: CohortSets): PlanSize =>
  addSizes(ONE, ...cohorts.loaded.map(({ id }) => sizeOfCohort(cohorts, id)))

const selectUuids = (table: EventTable, { numbersOf }: CohortSets, id: number): Sql =>
  sql`select p.uuid::text from ${table.persons} p where p.number in (${numbersOf(table, id, SQL_ATTR)})`

/** Selects `uuid` and `cohort_id` of the persons of all cohorts. */
export function selectCohortPeople(table: EventTable, cohorts: CohortSets): Sql {
  if (cohorts.loaded.length > MAX_COHORTS) {
    throw refuse(`cohort_people has at most ${MAX_COHORTS} cohorts. Use person_id IN COHORT <id>.`)
  }
  const selects = cohorts.loaded.map(
    ({ id }) => sql`select uuid, ${sql.lit(id)}::bigint as cohort_id
      from (${selectUuids(table, cohorts, id)}) members (uuid)`,
  )
  const none = sql`select null::text as uuid, null::bigint as cohort_id where false`
  return sql.join(selects.length > 0 ? selects : [none], sql` union all `)
}
