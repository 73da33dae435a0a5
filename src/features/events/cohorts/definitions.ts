import { sql } from 'kysely'
import { listFilters } from '#model/actions.ts'
import type {
  BehaviorCondition,
  CohortCondition,
  CohortGroup,
} from '#model/cohort-filters.schema.ts'
import { isObject } from '#model/json.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import {
  type Cohort,
  type Cohorts,
  conditionsIn,
} from '#server/analytics/queries/cohort-definitions.ts'
import { createCohortSets } from '#server/analytics/queries/cohorts.ts'
import type { FilterContext } from '#server/analytics/queries/filters.ts'
import type { Calendar } from '#server/analytics/queries/parse-date.ts'
import { findNamedCohorts } from '#server/analytics/queries/sql/cohort-names.ts'
import { mapAtMost } from '#server/concurrency.ts'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { loadActions, type NamedAction, type NamedActions } from '../action-rows/rules.ts'
import { countPersons, type PersonSelection } from '../person-rows/store.ts'
import { countMembersOfAll, listMemberIds } from './members-store.ts'
import { type CohortRow, listLiveCohorts } from './store.ts'

/** Loads the cohorts with these IDs that exist, and those that they name in turn. */
export async function loadCohorts(
  db: Db,
  projectId: number,
  ids: readonly number[],
): Promise<Cohorts> {
  return ids.length === 0 ? new Map() : resolve(db, await readLiveCohorts(db, projectId), ids)
}

type LiveCohorts = ReadonlyMap<number, CohortRow>

const readLiveCohorts = async (db: Db, projectId: number): Promise<LiveCohorts> =>
  new Map((await listLiveCohorts(db, projectId)).map((row) => [row.id, row]))

async function resolve(db: Db, rows: LiveCohorts, ids: readonly number[]): Promise<Cohorts> {
  const cohorts = new Map<number, Cohort>()
  for (let wanted = ids; wanted.length > 0; ) {
    const found = wanted.flatMap((id) => (cohorts.has(id) ? [] : (rows.get(id) ?? [])))
    for (const row of found) cohorts.set(row.id, await toCohort(db, row))
    wanted = found.flatMap((row) => namedBy(cohorts.get(row.id) as Cohort))
  }
  return cohorts
}

export async function toCohort(db: Db, row: CohortRow): Promise<Cohort> {
  const { id, name, is_static, filters } = row
  if (is_static) return { id, name, definition: { members: await listMemberIds(db, row) } }
  const group = await resolveActions(db, row.project_id, JSON.parse(filters).properties)
  return { id, name, definition: { group } }
}

/** Replaces the actions that the conditions of a cohort name by their rules. `attr` names the conditions. */
export async function resolveActions(
  db: Db,
  projectId: number,
  group: CohortGroup,
  attr = 'properties',
): Promise<CohortGroup> {
  const ids = listActionIds(group)
  return ids.length === 0 ? group : withActions(group, await loadActions(db, projectId, ids), attr)
}

/** Returns the IDs of the actions that the conditions of a cohort name. */
const listActionIds = (group: CohortGroup): number[] =>
  conditionsIn(group).flatMap(({ condition }) =>
    isOfAction(condition) ? [Number(condition.key)] : [],
  )

/** Finds a cohort outside the trash that names an action. */
export async function findCohortOfAction(
  db: Db,
  projectId: number,
  id: number,
): Promise<CohortRow | undefined> {
  const live = await listLiveCohorts(db, projectId)
  return live.find(
    ({ is_static, filters }) =>
      !is_static && listActionIds(JSON.parse(filters).properties).includes(id),
  )
}

const isOfAction = (condition: CohortCondition): condition is BehaviorCondition =>
  condition.type === 'behavioral' && condition.event_type === 'actions'

function withActions(group: CohortGroup, actions: NamedActions, attr: string): CohortGroup {
  const values = group.values.map((each, index) => {
    const at = `${attr}__values__${index}`
    if ('values' in each) return withActions(each, actions, at)
    if (!isOfAction(each)) return each
    const action = actions.get(Number(each.key), `${at}__key`)
    requireOfEvents(action, `${at}__key`)
    return { ...each, action }
  })
  return { ...group, values }
}

/** The persons of cohorts are found by events alone. */
function requireOfEvents({ name, rules }: NamedAction, attr: string): void {
  const other = listFilters(rules).find(({ type }) => !OF_EVENTS.includes(type))
  if (!other) return
  throw invalid(
    attr,
    `The action "${name}" filters by ${other.type}. A cohort takes filters of events.`,
  )
}

const OF_EVENTS: readonly unknown[] = [undefined, null, 'event', 'event_metadata']

/** Returns the IDs of the cohorts that a cohort names. */
export const namedBy = ({ definition }: Cohort): number[] =>
  'members' in definition
    ? []
    : conditionsIn(definition.group).flatMap(({ condition }) =>
        condition.type === 'cohort' ? [condition.value] : [],
      )

/** Returns the IDs of the cohorts that filters and breakdowns name anywhere in a query. */
export function cohortIdsIn(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(cohortIdsIn)
  if (!isObject(value)) return []
  const inner = Object.values(value).flatMap(cohortIdsIn)
  const named = [
    ...(value.type === 'cohort' ? [value.value] : []),
    ...(value.breakdown_type === 'cohort' ? [value.breakdown] : []),
  ]
  return [...named.flat().map(Number), ...inner]
}

/** Bounds the members of static cohorts that one query reads. */
const MAX_READ = 300_000

/** Adds to the context of queries and filters the cohorts that they name, in SQL too. */
export async function withNamedCohorts<Context extends FilterContext>(
  db: Db,
  projectId: number,
  context: Context,
  values: readonly unknown[],
): Promise<Context> {
  const ids = cohortIdsIn(values)
  const texts = values
    .filter(isObject)
    .filter(({ kind }) => kind === 'HogQLQuery')
    .map(({ query }) => findNamedCohorts(String(query)))
  const isNamed = texts.some(({ isAll, named }) => isAll || named.length > 0)
  if (!isNamed) return ids.length === 0 ? context : withCohorts(db, projectId, context, ids)
  const isAll = texts.some((text) => text.isAll)
  const named = new Set(texts.flatMap((text) => text.named))
  const live = await listLiveCohorts(db, projectId)
  const wanted = live.filter(({ id, name }) => isAll || named.has(id) || named.has(name))
  const wantedIds = wanted.map(({ id }) => id)
  if ((await countMembersOfAll(db, projectId, wantedIds)) > MAX_READ) {
    throw invalid('query', `The static cohorts of the query have more than ${MAX_READ} members.`)
  }
  return withCohorts(db, projectId, context, [...ids, ...wantedIds])
}

/** Adds to the context of a query the cohorts that it names. */
export async function withCohorts<Context extends FilterContext>(
  db: Db,
  projectId: number,
  context: Context,
  ids: readonly number[],
): Promise<Context> {
  const definitions = await loadCohorts(db, projectId, ids)
  return { ...context, cohorts: createCohortSets(definitions, context) }
}

/** Selects the persons of a cohort. `definitions` has the cohort and those that it names. */
function selectCohortPersons(
  id: number,
  definitions: Cohorts,
  calendar: Calendar,
): PersonSelection {
  const sets = createCohortSets(definitions, calendar)
  return {
    properties: sets.properties,
    conditions: [(table) => sql`p.number in (${sets.numbersOf(table, id, 'filters')})`],
  }
}

/** Counts the current persons of a cohort. */
export async function countCohort(
  { db, events }: { readonly db: Db; readonly events: EventStore },
  projectId: number,
  id: number,
  definitions: Cohorts,
): Promise<number> {
  const calendar = await getQueryContext(db, projectId)
  return countPersons(events, projectId, selectCohortPersons(id, definitions, calendar))
}

/** Limits the number of static cohorts in memory, each with its members. */
const MAX_AT_ONCE = 4

/** Maps cohorts of a project with the selection of their persons, which a cohort in the trash does not have. */
export async function mapCohorts<Result>(
  db: Db,
  projectId: number,
  rows: readonly CohortRow[],
  map: (row: CohortRow, persons: PersonSelection) => Promise<Result>,
): Promise<Result[]> {
  const live = await readLiveCohorts(db, projectId)
  const calendar = await getQueryContext(db, projectId)
  return mapAtMost(MAX_AT_ONCE, rows, async (row) => {
    const definitions = await resolve(db, live, [row.id])
    return map(row, selectCohortPersons(row.id, definitions, calendar))
  })
}
