import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { identityOf } from './columns.ts'
import { compile } from './compile-node.ts'
import type { Grouping, NameScope } from './scope.ts'
import type { Node } from './tree.ts'
import { type Expression, expression } from './types.ts'

/**
 * Writes a grouped query in two steps: an inner query computes the keys and the arguments of aggregates for each row,
 * and the outer one uses only their names. PostgreSQL would not recognize `f(x, $1)` of the SELECT as the `f(x, $2)` of
 * the GROUP BY.
 */
export function createGrouping(groups: readonly Node[], rows: NameScope) {
  const alias = rows.context.nextName('g')
  const columns: { readonly name: string; readonly value: Expression }[] = []
  const add = (value: Expression): Expression => {
    const name = `a${columns.length + 1}`
    columns.push({ name, value })
    return expression(value.type, [], () => sql.raw(`${alias}.${name}`))
  }
  const keys = new Map<string, Expression>()
  for (const group of groups) {
    const identity = identityOf(group, rows)
    if (!keys.has(identity)) keys.set(identity, add(compile(group, rows)))
  }
  const grouping: Grouping = { keys, rows, addArgument: add }

  return {
    grouping,
    weight: () => columns.reduce((sum, { value }) => sum + value.weight, 0),
    render(table: EventTable, writeRows: (columns: Sql) => Sql): Sql {
      const list = columns.map(({ name, value }) => sql`${value.render(table)} as ${sql.raw(name)}`)
      const inner = writeRows(list.length > 0 ? sql.join(list) : sql`1 as one`)
      const by = [...keys.values()].map((key) => key.render(table))
      const group = by.length > 0 ? sql` group by ${sql.join(by)}` : sql``
      return sql` from (${inner}) ${sql.raw(alias)}${group}`
    },
  }
}
