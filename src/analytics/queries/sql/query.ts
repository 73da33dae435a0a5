import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { nestsTooDeeply, refuse, tooComplex } from './errors.ts'
import { parseLimit } from './modifiers.ts'
import { type Direction, writeOrder } from './order.ts'
import type { CompiledBody, CompiledQuery, Cte, LimitOffset, OuterScope } from './scope.ts'
import { compileSelect } from './select.ts'
import { compileSetOperation } from './set-operations.ts'
import { addSizes, ONE, type PlanSize } from './size.ts'
import { type ParsedQuery, type SelectNode, unknownPart } from './tree.ts'
import type { Type } from './types.ts'

const MAX_WEIGHT = 40_000
const MAX_EFFORT = 40_000
const MAX_LEVELS = 60
/** Above one of these, a named query is planned alone instead of inside the query that names it. */
const MAX_COPIED_EFFORT = 1000
const MAX_COPIED_LEVELS = 50

/** The limit and offset of the outermost query are given, because the request sets them too. */
export function compileQuery(
  node: ParsedQuery,
  outer: OuterScope,
  outermost?: LimitOffset,
): CompiledQuery {
  return outer.context.nested(() => {
    const named = compileCtes(node, outer)
    const body = compileBody(node, { ...outer, ctes: named.ctes })
    const window = outermost ?? parseLimit(node)
    const size = addSizes(ONE, body.size, ...named.added.map(sizeOfName))
    if (size.weight > MAX_WEIGHT || size.effort > MAX_EFFORT) throw tooComplex()
    const levels = body.levels + 1
    if (levels > MAX_LEVELS) throw nestsTooDeeply()
    const isComputedFirst = window.limit !== undefined || window.offset !== undefined
    return {
      columns: isComputedFirst
        ? body.columns.map((column) => ({ ...column, size: ONE }))
        : body.columns,
      isOneRow: body.isOneRow || window.limit === 1,
      size,
      tables: isComputedFirst ? 1 : body.tables,
      levels,
      render: (table, write) =>
        sql`${writeCtes(named.added, table)}${writeBody(body, table, { ...window, isOutermost: !!outermost, write })}`,
    }
  })
}

function compileBody(node: ParsedQuery, outer: OuterScope): CompiledBody {
  if (node.type === 'SELECT_NODE') return compileSelect(node as SelectNode, outer)
  if (node.type === 'SET_OPERATION_NODE') return compileSetOperation(node, outer)
  throw refuse(
    node.type === 'RECURSIVE_CTE_NODE'
      ? 'WITH RECURSIVE is not available.'
      : `${node.type} is not allowed in a query.`,
  )
}

/** Compiles WITH: each part sees those before it, but not the outer query, since it is computed once. */
function compileCtes(node: ParsedQuery, { context, ctes }: OuterScope) {
  const added: Cte[] = []
  const given = node.cte_map?.map ?? []
  if (given.length === 0) return { ctes, added }
  const all = new Map(ctes)
  for (const { key, value } of given) {
    if (unknownPart(value, ['query', 'aliases', 'materialized'])) {
      throw refuse('WITH takes a name, names of columns and a query.')
    }
    const query = compileQuery(value.query.node, { context, ctes: all })
    const names = value.aliases ?? []
    if (names.length > query.columns.length)
      throw refuse(`"${key}" is given more names than it has columns.`)
    const columns = query.columns.map((column, n) => ({ ...column, name: names[n] ?? column.name }))
    const isFenced = query.size.effort > MAX_COPIED_EFFORT || query.levels > MAX_COPIED_LEVELS
    const cte: Cte = {
      name: context.nextName('w'),
      query: { ...query, columns },
      isFenced,
      uses: 0,
    }
    all.set(key.toLowerCase(), cte)
    added.push(cte)
  }
  return { ctes: all, added }
}

const writeCtes = (ctes: readonly Cte[], table: EventTable): Sql =>
  ctes.length === 0 ? sql`` : sql`with ${sql.join(ctes.map((cte) => writeCte(cte, table)))} `

/** Has a name that is used twice computed once: DuckDB would copy its query to each use, and plan every copy. */
const writeCte = ({ name, query, isFenced, uses }: Cte, table: EventTable): Sql =>
  sql`${sql.raw(name)} as ${isFenced || uses > 1 ? sql`materialized ` : sql``}(${query.render(table)})`

/** References have the size of the query that they name. Of a fenced one they lack the effort, which counts once. */
function sizeOfName({ query: { size }, isFenced, uses }: Cte): PlanSize {
  return { weight: uses === 0 ? size.weight : 0, effort: isFenced || uses === 0 ? size.effort : 0 }
}

type Write = (column: Sql, type: Type) => Sql

interface BodyOptions extends LimitOffset {
  readonly isOutermost: boolean
  readonly write: Write | undefined
}

/**
 * Sorts ties by all columns, so that a limit keeps the same rows on both databases. Inside another query, an order
 * without a limit has no effect and is omitted.
 */
function writeBody(
  body: CompiledBody,
  table: EventTable,
  { limit, offset, isOutermost, write = (column) => column }: BodyOptions,
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

function writeColumns(body: CompiledBody, table: EventTable, write: Write): Sql {
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
