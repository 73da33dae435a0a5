import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { refuse, tooComplex } from './errors.ts'
import { windowOf } from './modifiers.ts'
import { type Direction, writeOrder } from './order.ts'
import type { CompiledBody, CompiledQuery, Cte, Outside, Window } from './scope.ts'
import { compileSelect } from './select.ts'
import { compileSetOperation } from './set-operations.ts'
import { type ParsedQuery, type SelectNode, unknownPart } from './tree.ts'
import type { Type } from './types.ts'

const MAX_WEIGHT = 40_000

/** The outermost query's window is given, as it is not only the text that decides on it. */
export function compileQuery(
  node: ParsedQuery,
  outside: Outside,
  outermost?: Window,
): CompiledQuery {
  return outside.context.nested(() => {
    const named = compileCtes(node, outside)
    const body = compileBody(node, { ...outside, ctes: named.ctes })
    const window = outermost ?? windowOf(node)
    const weight = body.weight + named.added.reduce((sum, { query }) => sum + query.weight, 1)
    if (weight > MAX_WEIGHT) throw tooComplex()
    return {
      columns: body.columns,
      isOneRow: body.isOneRow || window.limit === 1,
      weight,
      render: (table, write) =>
        sql`${writeCtes(named.added, table)}${writeBody(body, window, table, !!outermost, write)}`,
    }
  })
}

function compileBody(node: ParsedQuery, outside: Outside): CompiledBody {
  if (node.type === 'SELECT_NODE') return compileSelect(node as SelectNode, outside)
  if (node.type === 'SET_OPERATION_NODE') return compileSetOperation(node, outside)
  throw refuse(
    node.type === 'RECURSIVE_CTE_NODE'
      ? 'WITH RECURSIVE is not available.'
      : `${node.type} is not allowed in a query.`,
  )
}

/** Each sees those before it. They see nothing of a query around, as they are computed once. */
function compileCtes(node: ParsedQuery, { context, ctes }: Outside) {
  const all = new Map(ctes)
  const added: Cte[] = []
  for (const { key, value } of node.cte_map?.map ?? []) {
    if (unknownPart(value, ['query', 'aliases', 'materialized'])) {
      throw refuse('WITH takes a name, names of columns and a query.')
    }
    const query = compileQuery(value.query.node, { context, ctes: new Map(all) })
    const names = value.aliases ?? []
    if (names.length > query.columns.length)
      throw refuse(`"${key}" is given more names than it has columns.`)
    const columns = query.columns.map((column, n) => ({ ...column, name: names[n] ?? column.name }))
    const cte: Cte = { name: context.nextName('w'), query: { ...query, columns } }
    all.set(key.toLowerCase(), cte)
    added.push(cte)
  }
  return { ctes: all, added }
}

const writeCtes = (ctes: readonly Cte[], table: EventTable): Sql =>
  ctes.length === 0
    ? sql``
    : sql`with ${sql.join(ctes.map(({ name, query }) => sql`${sql.raw(name)} as (${query.render(table)})`))} `

/**
 * Rows that the query's own order leaves open are sorted by all columns, so that a limit cuts off the same on both
 * databases. An order without a limit means nothing inside of another query and is left out.
 */
function writeBody(
  body: CompiledBody,
  { limit, offset }: Window,
  table: EventTable,
  isOutermost: boolean,
  write: (column: Sql, type: Type) => Sql = (column) => column,
): Sql {
  const hasWindow = limit !== undefined || offset !== undefined
  if (!hasWindow && body.filter === undefined && !isOutermost) {
    return body.orders.length === 0 ? body.render(table) : writeColumns(body, table, write)
  }
  const filter = body.filter === undefined ? sql`` : sql` where o.${sql.raw(body.filter)}`
  const isSorted = (hasWindow || isOutermost) && (body.orders.length > 0 || body.isGathered)
  const order = isSorted ? sql` order by ${sql.join(writeOrders(body, table))}` : sql``
  const window = [
    ...(limit === undefined ? [] : [sql` limit ${sql.lit(limit)}`]),
    ...(offset ? [sql` offset ${sql.lit(offset)}`] : []),
  ]
  return sql`${writeColumns(body, table, write)}${filter}${order}${sql.join(window, sql``)}`
}

function writeColumns(
  body: CompiledBody,
  table: EventTable,
  write: (column: Sql, type: Type) => Sql,
): Sql {
  const columns = body.columns.map(({ type }, n) => {
    const name = sql.raw(`c${n + 1}`)
    return sql`${write(sql`o.${name}`, type)} as ${name}`
  })
  return sql`select ${sql.join(columns)} from (${body.render(table)}) o`
}

function writeOrders(body: CompiledBody, table: EventTable): Sql[] {
  const own = body.orders.map((order) =>
    writeOrder(table, sql`o.${sql.raw(order.column)}`, order.type, order),
  )
  const ties = body.columns.flatMap(({ type }, n) => {
    const column = `c${n + 1}`
    if (body.orders.some((order) => order.column === column)) return []
    return writeOrder(table, sql`o.${sql.raw(column)}`, type, ASCENDING)
  })
  return [...own, ...ties]
}

const ASCENDING: Direction = { isDescending: false, nullsFirst: false }
