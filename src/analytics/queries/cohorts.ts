import { sql } from 'kysely'
import type {
  BehaviorCondition,
  CohortCondition,
  CohortGroup,
  PersonCondition,
} from '#model/cohort-filters.schema.ts'
import { required } from '#server/errors.ts'
import type { EventTable, Sql } from '../event-table.ts'
import {
  type Cohort,
  type CohortSets,
  type Cohorts,
  cohortProperties,
  NO_COHORTS,
  requireCohort,
  requireSound,
} from './cohort-definitions.ts'
import { and, type FilterContext, matches, matchesNode, matchesOne } from './filters.ts'
import { type Calendar, parseDate } from './parse-date.ts'
import { toProfiles } from './profiles.ts'

interface CohortContext extends FilterContext {
  readonly definitions: Cohorts
}

/** Compiles the cohorts that a query names. `definitions` has those that they name in turn too. */
export function createCohortSets(definitions: Cohorts, calendar: Calendar): CohortSets {
  const context = { ...calendar, definitions, cohorts: NO_COHORTS }
  return {
    numbersOf: (table, id, attr) => toCohortCondition(table, id, context, attr),
    properties: cohortProperties(definitions),
    loaded: [...definitions.values()],
  }
}

/** Selects the numbers of a cohort's persons, for `e.person in (...)` and `p.number in (...)`. */
export function toCohortCondition(
  table: EventTable,
  id: number,
  context: CohortContext,
  attr: string,
): Sql {
  requireSound(context.definitions, id, attr)
  const cohort = requireCohort(context.definitions, id, attr)
  const set = toSet(table, cohort, context, `${attr}__properties`)
  return sql`select p.number from ${table.persons} p where p.number in (${set})`
}

/** A statement that selects `number`. */
type NumberSet = Sql

/**
 * Sets are combined by union, intersection and difference: both databases compute those by hashing, while PostgreSQL
 * would compare each person with each member if they were alternatives of one condition.
 */
function toSet(table: EventTable, cohort: Cohort, context: CohortContext, attr: string): NumberSet {
  const { definition } = cohort
  if ('members' in definition) return toMembers(table, definition.members)
  return toGroupSet(table, definition.group, context, attr)
}

function toGroupSet(
  table: EventTable,
  group: CohortGroup,
  context: CohortContext,
  attr: string,
): NumberSet {
  const ofProfiles: Sql[] = []
  const sets: NumberSet[] = []
  for (const [index, each] of group.values.entries()) {
    const at = `${attr}__values__${index}`
    if ('values' in each) sets.push(toGroupSet(table, each, context, at))
    else if (each.type === 'person') ofProfiles.push(hasProperty(table, each, context, at))
    else sets.push(toConditionSet(table, each, context, at))
  }
  if (ofProfiles.length > 0) {
    const condition = group.type === 'AND' ? and(ofProfiles) : sql.join(ofProfiles, sql` or `)
    sets.push(sql`select p.number from ${table.persons} p where ${condition}`)
  }
  return combine(sets, group.type === 'AND' ? 'intersect' : 'union')
}

const combine = (
  sets: readonly NumberSet[],
  operator: 'intersect' | 'union' | 'except',
): NumberSet => {
  const separator = sql` ${sql.raw(operator)} `
  const selects = sets.map((set) => sql`(${set})`)
  return sets.length === 1
    ? (sets[0] as NumberSet)
    : sql`select number from (${sql.join(selects, separator)}) combined`
}

/** All conditions that filters compile are true or false, never null. */
function hasProperty(
  table: EventTable,
  { negation, ...filter }: PersonCondition,
  context: CohortContext,
  attr: string,
): Sql {
  const condition = matchesOne(toProfiles(table), filter, context, attr)
  return negation ? sql`not ${condition}` : condition
}

function toConditionSet(
  table: EventTable,
  condition: Exclude<CohortCondition, PersonCondition>,
  context: CohortContext,
  attr: string,
): NumberSet {
  const isBehavior = condition.type === 'behavioral'
  const set = isBehavior
    ? toPerformers(table, condition, context, attr)
    : toSet(
        table,
        requireCohort(context.definitions, condition.value, `${attr}__value`),
        context,
        attr,
      )
  const isNegated = condition.negation ?? false
  if (isNegated === (!isBehavior && condition.operator === 'not_in')) return set
  return combine([sql`select p.number from ${table.persons} p`, set], 'except')
}

const UNITS = { hour: 'h', day: 'd', week: 'w', month: 'm', year: 'y' } as const
const SIGNS = { gte: '>=', lte: '<=', exact: '=', eq: '=', gt: '>', lt: '<' } as const

/** Selects persons who performed the event at least once, and as often as the condition says. */
function toPerformers(
  table: EventTable,
  condition: BehaviorCondition,
  context: CohortContext,
  attr: string,
): NumberSet {
  const filters = condition.event_filters ?? []
  const from = resolveStart(condition, context, attr)
  const where = and([
    matchesNode(table, toNode(condition), context, `${attr}__key`),
    sql`e.timestamp >= ${from}::timestamptz`,
    sql`e.timestamp <= ${context.now.toString({ smallestUnit: 'millisecond' })}::timestamptz`,
    matches(table, filters, context, `${attr}__event_filters`),
  ])
  const performers = sql`select e.person as number from ${table.rows} e where ${where} group by e.person`
  if (condition.value === 'performed_event') return performers
  const sign = sql.raw(SIGNS[condition.operator ?? 'gte'])
  return sql`${performers} having count(*) ${sign} ${sql.lit(parseTimes(condition, attr))}`
}

const toNode = ({ action, key }: BehaviorCondition) => action ?? { event: String(key) }

function parseTimes({ operator_value }: BehaviorCondition, attr: string): number {
  if (typeof operator_value === 'number') return operator_value
  throw required(`${attr}__operator_value`)
}

function resolveStart(
  { explicit_datetime, time_value, time_interval }: BehaviorCondition,
  context: CohortContext,
  attr: string,
): string {
  const field = explicit_datetime ? 'explicit_datetime' : 'time_value'
  const text =
    explicit_datetime || (time_value && time_interval && `-${time_value}${UNITS[time_interval]}`)
  if (!text) throw required(`${attr}__${field}`)
  const { at } = parseDate(text, context, `${attr}__${field}`)
  return at.toInstant().toString({ smallestUnit: 'millisecond' })
}

/** Selects the persons that have these IDs now, after any merges. */
function toMembers(table: EventTable, members: readonly string[]): NumberSet {
  return sql`select i.person as number from ${table.personIds} i where i.distinct_id in (${toList(members)})`
}

/** Passes any number of texts as one value: PostgreSQL takes at most 65,535. */
export function toList(texts: readonly string[]): Sql {
  if (texts.length === 0) return sql`select null::text`
  const separator = findUnused(texts)
  return sql`select unnest(string_to_array(${texts.join(separator)}::text, ${separator}::text))`
}

/** Finds a character that occurs in none of the texts. */
export function findUnused(texts: readonly string[]): string {
  for (let code = 0x1f; ; code++) {
    const character = String.fromCodePoint(code)
    if (!texts.some((text) => text.includes(character))) return character
  }
}
