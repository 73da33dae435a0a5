import { sql } from 'kysely'
import type { FunnelsActorsQuery, InsightActorsQuery } from '#model/actors/actors.schema.ts'
import { findKind } from '#model/query-kinds/index.ts'
import type { QueryKind } from '#model/query-kinds/query-kind.ts'
import { invalid } from '#server/errors.ts'
import type { EventTable, RequiredColumns, Sql } from '../event-table.ts'
import type { TimeRange } from './dates.ts'
import { and } from './filters.ts'
import { toDay } from './labels.ts'
import type { Context } from './plan.ts'
import type { ValidQuery } from './run-query.ts'

/** The persons or groups behind a number. */
export interface ActorSet extends RequiredColumns {
  /** Selects `person`, the number of a person or the key of a group, each once, and `events`: how many of its events the number counts. */
  toSql(table: EventTable): Sql
  /** Selects `uuid` and `ms` of these events. Absent if a number does not count single events. */
  toEvents?(table: EventTable): Sql
}

/** Selects the events `e` that match the conditions and belong to `actors`, a selection of `person`. */
export const selectActorEvents = (
  table: EventTable,
  { actors, counted, where }: { actors: Sql; counted: Sql; where: readonly Sql[] },
): Sql => sql`select e.uuid, ${table.milliseconds} as ms from ${table.rows} e
  where ${and([...where, sql`${counted} in (select person from (${actors}) actors)`])}`

/** Chooses one number of a result. `attr` names the choice in error messages. */
type Located<Fields> = Omit<Fields, 'kind' | 'source' | 'modifiers'> & { readonly attr: string }
export type InsightPoint = Located<InsightActorsQuery>
export type FunnelPoint = Located<FunnelsActorsQuery>
export type Point = InsightPoint & FunnelPoint

type SelectActors = (
  query: ValidQuery,
  point: Point,
  context: Context,
) => ActorSet | Promise<ActorSet>

/** Selects the persons behind a number of a query's result. */
export async function selectActors(
  query: ValidQuery,
  point: Point,
  context: Context,
): Promise<ActorSet> {
  const { id, kind } = findKind(query.kind) as QueryKind
  const select: SelectActors = (await import(`./${id}/actors.ts`))[`select${kind}Actors`]
  return select(query, point, context)
}

/** Finds the interval that begins on a day as results name it, or at a moment with an offset from UTC. */
export function findInterval(range: TimeRange, day: string | number, attr: string): number {
  const text = String(day).replace('T', ' ')
  const named = range.buckets.findIndex((bucket) => {
    const start = toDay(bucket, range.interval)
    return text === start || text === `${start} 00:00:00`
  })
  const index = named < 0 ? findMoment(range, String(day)) : named
  if (index >= 0) return index
  throw invalid(attr, `The result has no interval that begins at ${JSON.stringify(day)}.`)
}

/** Needed for an hour that clocks repeat, which has the same name twice. */
function findMoment({ buckets }: TimeRange, text: string): number {
  const ms = /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : Number.NaN
  return buckets.findIndex(({ epochMilliseconds }) => epochMilliseconds === ms)
}

/** Chooses the current period, or the one it is compared with. */
export function requirePeriod(
  periods: readonly TimeRange[],
  { compare, attr }: InsightPoint,
): TimeRange {
  const range = periods[compare === 'previous' ? 1 : 0]
  if (range) return range
  throw invalid(`${attr}__compare`, 'The query compares with no previous period.')
}

/** Narrows a range to one of its intervals. */
export function toInterval(range: TimeRange, index: number): TimeRange {
  const { buckets, from, to } = range
  const toSeconds = (bucket: Temporal.ZonedDateTime) => bucket.epochMilliseconds / 1000
  const [start, end] = [buckets[index], buckets[index + 1]]
  return {
    ...range,
    from: Math.max(from, start ? toSeconds(start) : from),
    to: end ? toSeconds(end) : to,
  }
}
