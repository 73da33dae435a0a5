import { sql } from 'kysely'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import type { TableResult } from '#model/query-results.ts'
import type { Cell, EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { MAX_RESULT_LENGTH } from '#server/analytics/query-errors.ts'
import { giveWay, mapInTurns } from '#server/turns.ts'
import { type CohortSets, NO_COHORTS } from '../cohort-definitions.ts'
import { toRequired } from '../columns.ts'
import type { Context, Plan } from '../plan.ts'
import { requireFewCells } from '../size.ts'
import { toActionMatches } from './actions.ts'
import { createCompileContext } from './context.ts'
import { refuse, SQL_ATTR } from './errors.ts'
import { compileExpression } from './expressions.ts'
import { compileFilters, NO_FILTERS, resolveDates } from './filters.ts'
import type { ImportRows } from './imports.ts'
import { parseLimit } from './modifiers.ts'
import { parseTree } from './parser.ts'
import type { PlaceholderValues } from './placeholders.ts'
import { compileQuery } from './query.ts'
import type { ActionMatch, EventFilters, ResultColumn } from './scope.ts'
import type { Type } from './types.ts'

/** The rows of a query without a limit. */
export const USUAL_LIMIT = 100
export const MAX_LIMIT = 10_000
/** 300,000 properties of the longest. Few texts are as long as they can be, so a result may have far fewer. */
const MAX_CHARACTERS = 300_000 * 1024
/** Significant digits of a result: the databases add doubles in different orders. */
const DIGITS = 12

export interface SqlOptions {
  /** The project's time zone, which decides when a day begins. */
  readonly zone: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly now?: Date
  readonly filters?: EventFilters
  readonly actions?: readonly ActionMatch[]
  readonly cohorts?: CohortSets
  readonly imports?: ImportRows | undefined
  readonly values?: PlaceholderValues
}

export const compileHogQLQuery = (
  query: HogQLQuery,
  context: Context,
): Promise<Plan<TableResult>> => compileSql(query.query, toSqlOptions(query, context))

export function toSqlOptions(
  { filters, variables, actions = [] }: HogQLQuery,
  context: Context,
): SqlOptions {
  const dates = resolveDates(filters, context)
  return {
    zone: context.zone,
    now: new Date(context.now.epochMilliseconds),
    filters: compileFilters(filters, dates, context),
    actions: toActionMatches(actions, context),
    cohorts: context.cohorts,
    imports: context.imports,
    values: {
      dateFrom: dates.from?.toInstant(),
      dateTo: dates.to?.toInstant().subtract({ milliseconds: 1 }) ?? context.now,
      variables: new Map(
        Object.values(variables ?? {}).map(({ code_name, value, isNull }) => [
          code_name,
          isNull ? null : value,
        ]),
      ),
    },
  }
}

/**
 * Parses a user's SQL, checks it and writes a new statement. The text itself never reaches the event store: it is
 * parsed to a tree of which only known parts are compiled. Tables hold the project's rows only, values are parameters, and
 * every name is generated.
 */
export async function compileSql(text: string, options: SqlOptions): Promise<Plan<TableResult>> {
  const { node, context } = await startSql(text, options)
  const own = parseLimit(node)
  const wanted = options.limit ?? (own.limit === undefined ? USUAL_LIMIT : MAX_LIMIT)
  const limit = Math.min(own.limit ?? MAX_LIMIT, wanted, MAX_LIMIT)
  const offset = (own.offset ?? 0) + (options.offset ?? 0)
  const query = compileQuery(node, { context, ctes: new Map() }, { limit: limit + 1, offset })
  requireFewCells(limit, query.columns.length, SQL_ATTR)
  requireShortTexts(limit, query.columns)
  return {
    ...toRequired(context.columns),
    effort: query.size.effort,
    statements: [(table) => limitText(table, query.columns, query.render(table, toCellSql))],
    toResult: ([rows = []]) => toResult(query.columns, rows, limit),
  }
}

/** Refuses rows that could fill the memory of the database before their texts can be counted. */
function requireShortTexts(rows: number, columns: readonly ResultColumn[]): void {
  const texts = columns.filter(({ type }) => type === 'String')
  if (rows * texts.reduce((sum, { longest }) => sum + longest, 0) <= MAX_CHARACTERS) return
  throw refuse(
    `${rows.toLocaleString('en')} rows of these texts may be too long. Select fewer or shorter texts, as in left(properties.name, 50), or set a lower LIMIT.`,
  )
}

/** Parses a text and starts to compile it. */
export async function startSql(text: string, options: SqlOptions) {
  const node = await parseTree(text, options.values ?? {})
  await giveWay()
  const { zone, now = new Date(), filters = NO_FILTERS, cohorts = NO_COHORTS } = options
  const { actions = [], imports } = options
  const settings = { zone, now, filters, actions, cohorts, imports }
  const context = createCompileContext(settings, { compileExpression, compileQuery })
  return { node, context }
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

/**
 * Ends a result of too much text after the row that exceeds the limit, where all rows would be in memory before they can
 * be counted.
 */
function limitText(table: EventTable, columns: readonly ResultColumn[], rows: Sql): Sql {
  const names = columns.map((_, n) => sql.raw(`c${n + 1}`))
  const texts = names.filter((_, n) => columns[n]?.type === 'String')
  if (!table.readsAllRows || texts.length === 0) return rows
  const length = sql.join(
    texts.map((text) => sql`coalesce(length(${text}), 0)`),
    sql` + `,
  )
  return sql`select ${sql.join(names)} from (
      select *, sum(${length}) over (rows unbounded preceding) - (${length}) as before from (${rows}) q
    ) q where before <= ${sql.lit(MAX_RESULT_LENGTH)}`
}

async function toResult(
  columns: readonly ResultColumn[],
  rows: readonly StatementRow[],
  limit: number,
): Promise<TableResult> {
  return {
    columns: columns.map(({ name }) => name),
    types: columns.map(({ name, type }) => [name, type === 'Null' ? 'String' : type]),
    results: await mapInTurns(rows.slice(0, limit), (row) =>
      columns.map(({ type }, n) => toValue(row[`c${n + 1}`] ?? null, type)),
    ),
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
