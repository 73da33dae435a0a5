import { sql } from 'kysely'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import type { ActorSet } from '#server/analytics/queries/actors.ts'
import { and } from '#server/analytics/queries/filters.ts'
import type { PlanRun } from '#server/analytics/queries/plan.ts'
import type { PageRange } from '#server/db/page-range.ts'
import type { CohortMember } from '#server/features/events/cohorts/members-store.ts'
import {
  type PersonRow,
  type PersonSelection,
  readPersons,
} from '#server/features/events/person-rows/store.ts'
import type { ListOrder } from './list-columns.ts'

/** A person behind a number, and how many of the person's events the number counts. */
export interface Actor {
  readonly person: PersonRow
  readonly events: number | null
}

/** The persons of a query: those of `set` if there is one, which fulfill the conditions. */
export interface ActorSelection extends PersonSelection {
  readonly set: ActorSet | undefined
}

interface OrderedSelection extends ActorSelection {
  readonly orders: readonly ListOrder[]
}

export interface ActorRun extends PlanRun {
  readonly store: EventStore
}

const MAX_IDS = 10

/** Lists one page of persons, and whether there are more. */
export async function listActorPage(
  run: ActorRun,
  selection: OrderedSelection,
  { limit, offset }: PageRange,
): Promise<{ readonly rows: readonly Actor[]; readonly hasMore: boolean }> {
  const rows = await listNumbers(run, selection, { limit: limit + 1, offset })
  const numbers = rows.slice(0, limit).map(({ number }) => number)
  const persons = await readPersons(run.store, run.projectId, numbers, MAX_IDS)
  const events = new Map(rows.map(({ number, events }) => [number, events]))
  return {
    rows: persons.map((person) => ({ person, events: events.get(person.number) ?? null })),
    hasMore: rows.length > limit,
  }
}

interface NumberRow {
  readonly number: number
  readonly events: number | null
}

/** Those with most events first, then the newest. */
async function listNumbers(
  run: ActorRun,
  { orders, ...selection }: OrderedSelection,
  { limit, offset }: PageRange,
): Promise<readonly NumberRow[]> {
  const rows = await selectActors(run, selection, (table, from) => {
    const events = selection.set ? sql`a.events::double precision` : sql`null::double precision`
    const order = [
      ...orders.map((toOrder) => toOrder(table)),
      ...(selection.set && orders.length === 0 ? [sql`a.events desc`] : []),
      sql`p.created_at desc`,
      sql`p.number desc`,
    ]
    return sql`select p.number::double precision as number, ${events} as events from ${from}
      order by ${sql.join(order)} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`
  })
  return rows as readonly unknown[] as readonly NumberRow[]
}

/** Lists one distinct ID of each person, which stays a member after any merge. */
export async function listActorMembers(
  run: ActorRun,
  selection: ActorSelection,
  limit: number,
): Promise<CohortMember[]> {
  const rows = await selectActors(
    run,
    selection,
    (table, from) => sql`select uuid, min(i.distinct_id) as distinct_id
      from (select p.uuid::text as uuid, p.number from ${from} limit ${sql.lit(limit)}) found
      join ${table.personIds} i on i.person = found.number group by uuid`,
  )
  return rows.map(({ uuid, distinct_id }) => ({
    personUuid: uuid as string,
    distinctId: distinct_id as string,
  }))
}

/** Runs a statement over the persons `p` of a selection, which it gets as its FROM and WHERE. */
const selectActors = (
  { store, projectId, timeoutMs, signal }: ActorRun,
  { set, conditions, properties }: ActorSelection,
  toSql: (table: EventTable, from: Sql) => Sql,
): Promise<StatementRow[]> =>
  store.query(projectId, {
    ...set,
    properties: [...new Set([...properties, ...(set?.properties ?? [])])],
    ...(timeoutMs && { timeoutMs }),
    signal,
    toSql(table) {
      const from = set
        ? sql`(${set.toSql(table)}) a join ${table.allPersons} p on p.number = a.person`
        : sql`${table.persons} p`
      const where = and(conditions.map((toCondition) => toCondition(table)))
      return toSql(table, sql`${from} where ${where}`)
    },
  })
