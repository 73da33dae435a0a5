import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { isAggregate } from './aggregates.ts'
import { toIdentity } from './columns.ts'
import { compile, compileCondition } from './compile-node.ts'
import { refuse } from './errors.ts'
import { compileFrom } from './from.ts'
import { createGrouping } from './grouping.ts'
import { listOrders } from './modifiers.ts'
import { toColumnName, uniqueNames } from './names.ts'
import { compileOrder } from './order.ts'
import type { CompiledBody, From, NameScope, OuterScope } from './scope.ts'
import { addSizes, ONE, toSize } from './size.ts'
import { expandStars } from './stars.ts'
import { type Node, readConstant, type SelectNode, unknownPart } from './tree.ts'
import type { Expression } from './types.ts'

const PARTS = [
  'type',
  'modifiers',
  'cte_map',
  'select_list',
  'from_table',
  'where_clause',
  'group_expressions',
  'group_sets',
  'aggregate_handling',
  'having',
  'qualify',
]

const NOTHING: From = {
  relations: [],
  render: () => sql``,
  size: { weight: 0, effort: 0 },
  tables: 0,
  levels: 0,
}

export function compileSelect(node: SelectNode, outer: OuterScope): CompiledBody {
  if (unknownPart(node, PARTS)) throw refuse('SELECT takes no SAMPLE.')
  const from = node.from_table.type === 'EMPTY' ? NOTHING : compileFrom(node.from_table, outer)
  const items = expandStars(node.select_list, from.relations)
  const rows: NameScope = { ...outer, relations: from.relations, aliases: indexAliases(items) }
  const where = node.where_clause && compileCondition(node.where_clause, rows)
  const orders = listOrders(node.modifiers)
  const isDistinct = requirePlainDistinct(node)

  const aggregated = [
    ...items,
    ...orders.map((order) => order.expression),
    node.having,
    node.qualify,
  ]
  const isGrouped =
    node.group_expressions !== undefined ||
    node.having !== undefined ||
    node.aggregate_handling === 'FORCE_AGGREGATES' ||
    aggregated.some(hasAggregate)
  const grouping = isGrouped
    ? createGrouping(listGroups(node, items), rows, from.isEvents === true && !hasSubquery(node))
    : undefined
  const scope: NameScope = { ...rows, grouping: grouping?.grouping, allowsWindows: true }

  const values = items.map((item) => requireValue(compile(item, scope)))
  const having = node.having && compileCondition(node.having, { ...scope, allowsWindows: false })
  const qualify = node.qualify && compileCondition(node.qualify, scope)
  if (qualify && isDistinct)
    throw refuse('QUALIFY and DISTINCT do not go together. Use a subquery.')
  const keys = orders.map((order) => {
    const at = findPlace(order.expression, items, scope)
    if (at !== undefined) return { order, at, value: undefined }
    if (isDistinct) throw refuse('ORDER BY of a SELECT DISTINCT names columns that are selected.')
    return { order, at, value: requireValue(compile(order.expression, scope)) }
  })

  const shown = values.map((value, n) => ({ value, name: `c${n + 1}` }))
  const hidden = keys.flatMap(({ value }, n) => (value ? [{ value, name: `o${n + 1}` }] : []))
  const filter = qualify ? [{ value: qualify, name: 'q' }] : []
  const all = [...shown, ...hidden, ...filter]
  const names = uniqueNames(items.map((item) => item.alias ?? toColumnName(item)))
  const isComputedFirst = isGrouped || isDistinct || all.some(({ value }) => value.isWindow)
  const below = addSizes(
    from.size,
    ...(where ? [where] : []),
    ...(grouping ? [grouping.size()] : []),
  )
  return {
    columns: values.map((value, n) => ({
      name: names[n] ?? '',
      type: value.type,
      size: isComputedFirst ? ONE : toSize(value),
      longest: value.longest,
    })),
    size: addSizes(
      ONE,
      ...all.map(({ value }) => value),
      ...(having ? [having] : []),
      isComputedFirst ? { weight: below.weight, effort: 2 * below.effort } : below,
    ),
    tables: isComputedFirst ? 1 : from.tables,
    levels: from.levels,
    orders: keys.map(({ order, at, value }, n) => ({
      ...compileOrder(order),
      column: at === undefined ? `o${n + 1}` : `c${at + 1}`,
      type: (value ?? values[at ?? 0])?.type ?? 'Null',
    })),
    ...(qualify && { filter: 'q' }),
    isGathered: isGrouped || isDistinct,
    isOneRow: isGrouped && listGroups(node, items).length === 0,
    render(table) {
      const list = all.map(({ value, name }) => sql`${value.render(table)} as ${sql.raw(name)}`)
      const source = grouping
        ? grouping.render(table, (columns) => writeRows(columns, from, where, table))
        : writeSource(from, where, table)
      const rest = having ? sql` having ${having.render(table)}` : sql``
      return sql`select ${isDistinct ? sql`distinct ` : sql``}${sql.join(list)}${source}${rest}`
    },
  }
}

const writeRows = (
  columns: Sql,
  from: From,
  where: Expression | undefined,
  table: EventTable,
): Sql => sql`select ${columns}${writeSource(from, where, table)}`

function writeSource(from: From, where: Expression | undefined, table: EventTable): Sql {
  const tables = from === NOTHING ? sql`` : sql` from ${from.render(table)}`
  return where ? sql`${tables} where ${where.render(table)}` : tables
}

function indexAliases(items: readonly Node[]): ReadonlyMap<string, Node> {
  return new Map(items.flatMap((item) => (item.alias ? [[item.alias.toLowerCase(), item]] : [])))
}

function requireValue(value: Expression): Expression {
  if (value.type === 'Interval') throw refuse('An interval cannot be a result. Add it to a time.')
  return value
}

function requirePlainDistinct({ modifiers }: SelectNode): boolean {
  const distinct = (modifiers ?? []).find(({ type }) => type === 'DISTINCT_MODIFIER')
  if (distinct?.distinct_on_targets) {
    throw refuse('DISTINCT ON is not available. Use QUALIFY row_number() OVER (...) = 1.')
  }
  return distinct !== undefined
}

/** Ignores inner queries, which resolve their own names. */
function hasAggregate(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  if ((node as Node).class === 'SUBQUERY') return false
  if (isAggregate(node as Node)) return true
  return Object.values(node).some(hasAggregate)
}

/** Looks everywhere but in FROM. */
function hasSubquery({ from_table: _, ...clauses }: SelectNode): boolean {
  const isOrHas = (node: unknown): boolean =>
    typeof node === 'object' &&
    node !== null &&
    ((node as Node).class === 'SUBQUERY' || Object.values(node).some(isOrHas))
  return isOrHas(clauses)
}

/** Resolves GROUP BY: a column of the SELECT by number or name, or else an expression. */
function listGroups(node: SelectNode, items: readonly Node[]): readonly Node[] {
  const groups = node.group_expressions ?? []
  if (node.aggregate_handling === 'FORCE_AGGREGATES') {
    return items.filter((item) => !hasAggregate(item))
  }
  const sets = node.group_sets ?? []
  if (sets.length > 1 || (sets[0] && sets[0].length !== groups.length)) {
    throw refuse('ROLLUP, CUBE and GROUPING SETS are not available. Use UNION ALL.')
  }
  return groups.map((group) => {
    const at = findItem(group, items)
    return at === undefined ? group : (items[at] as Node)
  })
}

function findPlace(node: Node, items: readonly Node[], scope: NameScope): number | undefined {
  const at = findItem(node, items)
  if (at !== undefined) return at
  const identity = toIdentity(node, scope)
  const same = items.findIndex((item) => toIdentity(item, scope) === identity)
  return same === -1 ? undefined : same
}

/** Finds a column of the SELECT by its number, counted from 1, or by its alias. */
function findItem(node: Node, items: readonly Node[]): number | undefined {
  const place = readConstant(node)
  if (typeof place === 'number') {
    if (items[place - 1]) return place - 1
    throw refuse(`${place} is not the number of a column: there are ${items.length}.`)
  }
  const names = node.class === 'COLUMN_REF' ? (node.column_names as readonly string[]) : []
  const wanted = names.length === 1 ? names[0]?.toLowerCase() : undefined
  const at = items.findIndex((item) => item.alias?.toLowerCase() === wanted)
  return wanted === undefined || at === -1 ? undefined : at
}
