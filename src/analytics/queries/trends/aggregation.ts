import { sql } from 'kysely'
import type { ColumnType, EventsNode } from '#model/query-kinds/common.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { invalid } from '#server/errors.ts'
import { type ColumnRef, eventProperty, toTextColumn } from '../columns.ts'
import { countedColumns, toCounted } from '../counted.ts'

/**
 * Aggregates a series' events to a number: directly, or for a breakdown in two steps, through cells that are small enough
 * to combine several times. A cell contains the events of one value and one interval, optionally of one `id`.
 */
export interface Aggregation {
  ofEvents(table: EventTable): Sql
  cell(table: EventTable): Cell
  /** Combines several cells. */
  readonly ofCells: Sql
  /** The value of which each different one counts once. */
  distinct?(table: EventTable): Sql
  /** Combines the numbers of parts of the events. */
  merge?(parts: Sql): Sql
  /** Matches events that contribute to the number. */
  isCounted(table: EventTable): Sql
}

interface Cell {
  /** The key of a cell besides value and interval. */
  readonly id?: Sql
  /** Aggregates over the events of a cell. */
  readonly sums?: readonly Sql[]
  /** The value of a single event. */
  readonly single?: Sql
}

const countEvents: Aggregation = {
  ofEvents: () => sql`count(*)::double precision`,
  cell: () => ({ sums: [sql`count(*) as n`] }),
  ofCells: sql`sum(n)::double precision`,
  merge: (parts) => sql`sum(${parts})`,
  isCounted: () => sql`true`,
}

const countDistinct = (id: (table: EventTable) => Sql): Aggregation => ({
  ofEvents: (table) => sql`count(distinct ${id(table)})::double precision`,
  cell: (table) => ({ id: sql`${id(table)} as id` }),
  ofCells: sql`count(distinct id)::double precision`,
  distinct: id,
  isCounted: (table) => sql`${id(table)} is not null`,
})

type NumberOf = (table: EventTable) => Sql

const isNumber = (number: Sql): Sql => sql`(${number}) is not null`

const simple = (name: 'sum' | 'min' | 'max', number: NumberOf): Aggregation => ({
  ofEvents: (table) => sql`${sql.raw(name)}(${number(table)})`,
  cell: (table) => ({ sums: [sql`${sql.raw(name)}(${number(table)}) as x`] }),
  ofCells: sql`${sql.raw(name)}(x)`,
  merge: (parts) => sql`${sql.raw(name)}(${parts})`,
  isCounted: (table) => isNumber(number(table)),
})

const average = (number: NumberOf): Aggregation => ({
  ofEvents: (table) => sql`avg(${number(table)})`,
  cell: (table) => ({
    sums: [sql`sum(${number(table)}) as x`, sql`count(${number(table)}) as n`],
  }),
  ofCells: sql`sum(x) / nullif(sum(n)::double precision, 0)`,
  isCounted: (table) => isNumber(number(table)),
})

/** Keeps all numbers, because percentiles cannot be computed from partial results. */
const percentile = (share: number, number: NumberOf): Aggregation => ({
  ofEvents: (table) => sql`${toPercentile(share, number(table))}::double precision`,
  cell: (table) => ({ single: sql`${number(table)} as x` }),
  ofCells: sql`${toPercentile(share, sql`x`)}::double precision`,
  isCounted: (table) => isNumber(number(table)),
})

const toPercentile = (share: number, number: Sql): Sql =>
  sql`percentile_cont(${sql.lit(share)}) within group (order by ${number})`

const SHARES: Readonly<Record<string, number>> = {
  p25: 0.25,
  median: 0.5,
  p75: 0.75,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
}

export const mathOf = (node: EventsNode) => node.math ?? 'total'

export function toAggregation(node: EventsNode, attr: string): Aggregation {
  const math = mathOf(node)
  switch (math) {
    case 'total':
    case 'first_time_for_user':
      return countEvents
    case 'dau':
    case 'weekly_active':
    case 'monthly_active':
      return countDistinct(() => sql`e.person`)
    case 'unique_session':
      return countDistinct((table) => table.property('$session_id'))
    case 'unique_group':
      return countDistinct((table) => toCounted(table, node.math_group_type_index))
  }
  const key = node.math_property
  if (!key) throw invalid(`${attr}__math_property`, `${math} needs a property.`, 'required')
  const column = { key, type: toColumnType(node) }
  const number: NumberOf = (table) =>
    table.toNumber(toTextColumn(table, column, `${attr}__math_property`))
  if (math === 'sum' || math === 'min' || math === 'max') return simple(math, number)
  return math === 'avg' ? average(number) : percentile(SHARES[math] as number, number)
}

export const aggregationColumns = (node: EventsNode): ColumnRef[] => {
  if (mathOf(node) === 'unique_session') return [eventProperty('$session_id')]
  if (mathOf(node) === 'unique_group') return countedColumns(node.math_group_type_index)
  return node.math_property ? [{ key: node.math_property, type: toColumnType(node) }] : []
}

const toColumnType = ({ math_property_type }: EventsNode): ColumnType =>
  math_property_type === 'person_properties' ? 'person' : 'event'
