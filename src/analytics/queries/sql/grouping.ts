import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { inParts } from '../counted.ts'
import { toIdentity } from './columns.ts'
import { compile } from './compile-node.ts'
import type { AggregateCall, Grouping, NameScope } from './scope.ts'
import { addSizes } from './size.ts'
import type { Node } from './tree.ts'
import { type Expression, expression } from './types.ts'

/** An aggregate whose arguments are columns of the inner query. */
interface PlacedCall extends AggregateCall {
  /** Its column, where parts of groups are computed first. */
  readonly part: string
}

/**
 * Writes a grouped query in two steps: an inner query computes the keys and the arguments of aggregates for each row,
 * and the outer one uses only their names. PostgreSQL would not recognize `f(x, $1)` of the SELECT as the `f(x, $2)` of
 * the GROUP BY.
 */
export function createGrouping(groups: readonly Node[], rows: NameScope, canRepeatRows: boolean) {
  const alias = rows.context.nextName('g')
  const columns: { readonly name: string; readonly value: Expression }[] = []
  const calls: PlacedCall[] = []
  const addColumn = (value: Expression): Expression => {
    const name = `a${columns.length + 1}`
    columns.push({ name, value })
    return toColumn(alias, name, value)
  }
  const keys = new Map<string, Expression>()
  for (const group of groups) {
    const identity = toIdentity(group, rows)
    if (!keys.has(identity)) keys.set(identity, addColumn(compile(group, rows)))
  }
  const grouping: Grouping = {
    keys,
    rows,
    addAggregate(call) {
      if (call.isDistinct) rows.context.countDistinct()
      const args = call.args.map(addColumn)
      const condition = call.condition && addColumn(call.condition)
      const placed = { ...call, args, condition, part: `b${calls.length + 1}` }
      calls.push(placed)
      return expression(call.type, [...args, ...(condition ? [condition] : [])], (table) =>
        countsByParts(table, calls)
          ? writeMerged(placed, sql.raw(`${alias}.${placed.part}`), toParts(table).length > 1)
          : writeWhole(placed, table),
      )
    },
  }

  /** Divides the rows by the distinct value. They are read once for each part, which a subquery would make too slow. */
  function toParts(table: EventTable): readonly Sql[] {
    const call = calls.find(({ isDistinct }) => isDistinct)
    return canRepeatRows && call?.args[0]?.type === 'String'
      ? table.strategy.parts(writeDistinct(call, table), 'text')
      : [sql`true`]
  }

  return {
    grouping,
    size: () => addSizes(...columns.map(({ value }) => value)),
    render(table: EventTable, writeRows: (columns: Sql) => Sql): Sql {
      const list = columns.map(({ name, value }) => sql`${value.render(table)} as ${sql.raw(name)}`)
      const inner = writeRows(list.length > 0 ? sql.join(list) : sql`1 as one`)
      const from = sql`(${inner}) ${sql.raw(alias)}`
      const by = [...keys.values()].map((key) => key.render(table))
      const source = countsByParts(table, calls)
        ? sql`(${writeParts(table, calls, by, { from, alias, parts: toParts(table) })}) ${sql.raw(alias)}`
        : from
      return sql` from ${source}${toGroupBy(by)}`
    },
  }
}

const toColumn = (alias: string, name: string, { type, longest }: Expression): Expression => ({
  ...expression(type, [], () => sql.raw(`${alias}.${name}`)),
  longest,
})

/** Tells whether the engine groups by the distinct values first. */
const countsByParts = ({ strategy }: EventTable, calls: readonly PlacedCall[]): boolean =>
  strategy.aggregate({
    distinct: calls.filter(({ isDistinct }) => isDistinct).length,
    canMerge: calls.every(({ isDistinct, merge }) => isDistinct || merge),
  }) === 'byParts'

interface Rows {
  readonly from: Sql
  readonly alias: string
  readonly parts: readonly Sql[]
}

function writeParts(
  table: EventTable,
  calls: readonly PlacedCall[],
  by: readonly Sql[],
  { from, alias, parts }: Rows,
): Sql {
  const values = calls.map((call) => {
    const value = call.isDistinct ? writeDistinct(call, table) : writeWhole(call, table)
    return sql`${value} as ${sql.raw(call.part)}`
  })
  const distinct = calls.flatMap((call) => (call.isDistinct ? [writeDistinct(call, table)] : []))
  const write = (isInPart: Sql) =>
    sql`select ${sql.join([...by, ...values])} from ${from} where ${isInPart}
      group by ${sql.join([...by, ...distinct])}`
  if (parts.length === 1) return inParts(parts, write)
  const merged = calls.map(
    (call) => sql`${writeMerged(call, sql.raw(`${alias}.${call.part}`))} as ${sql.raw(call.part)}`,
  )
  return inParts(
    parts,
    (isInPart) =>
      sql`select ${sql.join([...by, ...merged])} from (${write(isInPart)}) ${sql.raw(alias)}${toGroupBy(by)}`,
  )
}

const toGroupBy = (by: readonly Sql[]): Sql =>
  by.length > 0 ? sql` group by ${sql.join(by)}` : sql``

/** Writes the value that is counted once; NULL is not counted. */
function writeDistinct({ args, condition }: PlacedCall, table: EventTable): Sql {
  const value = args[0]?.render(table) ?? sql`null`
  return condition ? sql`case when ${condition.render(table)} then ${value} end` : value
}

function writeWhole(call: PlacedCall, table: EventTable): Sql {
  const written = call.write(table, ...call.args.map((arg) => arg.render(table)))
  const filter = call.condition ? sql` filter (where ${call.condition.render(table)})` : sql``
  return writeCast(call, sql`${written}${filter}`)
}

/** Merges the values of parts; of a distinct count these are single values, or `areCounts` of them. */
function writeMerged(call: PlacedCall, parts: Sql, areCounts = false): Sql {
  if (!call.isDistinct) return writeCast(call, call.merge?.(parts) ?? parts)
  return writeCast(call, areCounts ? sql`coalesce(sum(${parts}), 0)::bigint` : sql`count(${parts})`)
}

const writeCast = ({ cast }: PlacedCall, value: Sql): Sql =>
  cast ? sql`(${value})::${cast}` : sql`(${value})`
