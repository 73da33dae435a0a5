import { sql } from 'kysely'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import type { TableResult } from '#model/query-results.ts'
import type { Cell, Sql, StatementRow } from '#server/analytics/event-table.ts'
import type { Context, Plan } from '../plan.ts'
import { createCompileContext } from './context.ts'
import { compileExpression } from './expressions.ts'
import { limitOf } from './modifiers.ts'
import { parseTree } from './parser.ts'
import { compileQuery } from './query.ts'
import type { ResultColumn } from './scope.ts'
import type { Type } from './types.ts'

const USUAL_LIMIT = 100
const MAX_LIMIT = 10_000
/** Significant digits of a result: the databases add doubles in different orders. */
const DIGITS = 12

export interface SqlOptions {
  /** The project's time zone, which decides when a day begins. */
  readonly zone: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly now?: Date
}

export const compileHogQLQuery = (
  { query }: HogQLQuery,
  { zone, now }: Context,
): Promise<Plan<TableResult>> => compileSql(query, { zone, now: new Date(now.epochMilliseconds) })

/**
 * Parses a user's SQL, checks it and writes a new statement. The text itself never reaches the event store: it is
 * parsed to a tree of which only known parts are compiled. Tables are the project's events, values are parameters, and
 * every name is generated.
 */
export async function compileSql(text: string, options: SqlOptions): Promise<Plan<TableResult>> {
  const node = await parseTree(text)
  const context = createCompileContext(options.zone, options.now ?? new Date(), {
    compileExpression,
    compileQuery,
  })
  const own = limitOf(node)
  const wanted = options.limit ?? (own.limit === undefined ? USUAL_LIMIT : MAX_LIMIT)
  const limit = Math.min(own.limit ?? MAX_LIMIT, wanted, MAX_LIMIT)
  const offset = (own.offset ?? 0) + (options.offset ?? 0)
  const query = compileQuery(node, { context, ctes: new Map() }, { limit: limit + 1, offset })
  return {
    properties: [...context.properties],
    statements: [(table) => query.render(table, toCellSql)],
    toResult: ([rows = []]) => toResult(query.columns, rows, limit),
  }
}

/** Selects times as numbers, because drivers convert times in different ways. */
function toCellSql(column: Sql, type: Type): Sql {
  switch (type) {
    case 'Integer':
    case 'Float':
      return sql`(${column})::double precision`
    case 'DateTime':
    case 'Date':
      return sql`(extract(epoch from ${column}))::double precision`
    default:
      return column
  }
}

function toResult(
  columns: readonly ResultColumn[],
  rows: readonly StatementRow[],
  limit: number,
): TableResult {
  return {
    columns: columns.map(({ name }) => name),
    types: columns.map(({ name, type }) => [name, type === 'Null' ? 'String' : type]),
    results: rows
      .slice(0, limit)
      .map((row) => columns.map(({ type }, n) => toValue(row[`c${n + 1}`] ?? null, type))),
    hasMore: rows.length > limit,
  }
}

function toValue(cell: Cell, type: Type): Cell {
  if (typeof cell !== 'number') return cell
  if (!Number.isFinite(cell)) return null
  if (type === 'Float') return Number(cell.toPrecision(DIGITS))
  if (type !== 'DateTime' && type !== 'Date') return cell
  const time = new Date(Math.round(cell * 1000))
  if (Number.isNaN(time.getTime())) return null
  return type === 'Date' ? time.toISOString().slice(0, 10) : time.toISOString()
}
