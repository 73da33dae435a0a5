import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { identityOf } from './columns.ts'
import { compile } from './compile-node.ts'
import type { AggregateCall, Grouping, NameScope } from './scope.ts'
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
export function createGrouping(groups: readonly Node[], rows: NameScope) {
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
    const identity = identityOf(group, rows)
    if (!keys.has(identity)) keys.set(identity, addColumn(compile(group, rows)))
  }
  const grouping: Grouping = {
    keys,
    rows,
    addAggregate(call) {
      const args = call.args.map(addColumn)
      const condition = call.condition && addColumn(call.condition)
      const placed = { ...call, args, condition, part: `b${calls.length + 1}` }
      calls.push(placed)
      return expression(call.type, [...args, ...(condition ? [condition] : [])], (table) =>
        countsByParts(table, calls)
          ? writeMerged(placed, sql.raw(`${alias}.${placed.part}`))
          : writeWhole(placed, table),
      )
    },
  }

  return {
    grouping,
    weight: () => columns.reduce((sum, { value }) => sum + value.weight, 0),
    render(table: EventTable, writeRows: (columns: Sql) => Sql): Sql {
      const list = columns.map(({ name, value }) => sql`${value.render(table)} as ${sql.raw(name)}`)
      const inner = writeRows(list.length > 0 ? sql.join(list) : sql`1 as one`)
      const from = sql`(${inner}) ${sql.raw(alias)}`
      const by = [...keys.values()].map((key) => key.render(table))
      const source = countsByParts(table, calls)
        ? sql`(${writeParts(table, calls, by, from)}) ${sql.raw(alias)}`
        : from
      const group = by.length > 0 ? sql` group by ${sql.join(by)}` : sql``
      return sql` from ${source}${group}`
    },
  }
}

const toColumn = (alias: string, name: string, { type }: Expression): Expression =>
  expression(type, [], () => sql.raw(`${alias}.${name}`))

/** Groups by the distinct values first: PostgreSQL sorts all rows for `count(distinct x)`, and hashes for GROUP BY. */
const countsByParts = (table: EventTable, calls: readonly PlacedCall[]): boolean =>
  table.sortsForDistinct &&
  calls.filter(({ isDistinct }) => isDistinct).length === 1 &&
  calls.every(({ isDistinct, merge }) => isDistinct || merge)

function writeParts(
  table: EventTable,
  calls: readonly PlacedCall[],
  by: readonly Sql[],
  from: Sql,
): Sql {
  const parts = calls.map((call) => {
    const value = call.isDistinct ? writeDistinct(call, table) : writeWhole(call, table)
    return sql`${value} as ${sql.raw(call.part)}`
  })
  const distinct = calls.flatMap((call) => (call.isDistinct ? [writeDistinct(call, table)] : []))
  return sql`select ${sql.join([...by, ...parts])} from ${from} group by ${sql.join([...by, ...distinct])}`
}

/** The value that is counted once; NULL is not counted. */
function writeDistinct({ args, condition }: PlacedCall, table: EventTable): Sql {
  const value = args[0]?.render(table) ?? sql`null`
  return condition ? sql`case when ${condition.render(table)} then ${value} end` : value
}

function writeWhole(call: PlacedCall, table: EventTable): Sql {
  const written = call.write(table, ...call.args.map((arg) => arg.render(table)))
  const filter = call.condition ? sql` filter (where ${call.condition.render(table)})` : sql``
  return writeCast(call, sql`${written}${filter}`)
}

const writeMerged = (call: PlacedCall, parts: Sql): Sql =>
  writeCast(call, call.isDistinct ? sql`count(${parts})` : (call.merge?.(parts) ?? parts))

const writeCast = ({ cast }: PlacedCall, value: Sql): Sql =>
  cast ? sql`(${value})::${cast}` : sql`(${value})`
