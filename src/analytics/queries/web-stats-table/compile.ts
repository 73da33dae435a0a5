import { sql } from 'kysely'
import type { WebStatsTableQuery } from '#model/query-kinds/web-stats-table.schema.ts'
import type { TableResult } from '#model/query-results.ts'
import type { NowAndBefore } from '#model/web-figures.ts'
import type {
  EventTable,
  RequiredColumns,
  Sql,
  StatementRow,
} from '#server/analytics/event-table.ts'
import { invalid } from '#server/errors.ts'
import type { TimeRange } from '../dates.ts'
import { resolvePeriods } from '../periods.ts'
import { type Context, type Plan, toNumber } from '../plan.ts'
import { requirePages, selectPages } from '../web/pages.ts'
import { BOUNCE_FIELDS, bounces, parseVisits, requireVisits, selectVisits } from '../web/visits.ts'
import { fieldsOfBreakdown, toVisitText } from './breakdown.ts'

const DEFAULT_LIMIT = 10

/**
 * Lists the values that most visitors have, with the numbers of the previous period beside them: select the visits or
 * page views of each period as cells, group them by value, shape rows.
 */
export function compileWebStatsTableQuery(
  query: WebStatsTableQuery,
  context: Context,
): Plan<TableResult> {
  const { limit, offset, includeBounceRate } = query
  const periods = resolvePeriods(query, context)
  const { required, selectCells } = chooseCells(query, periods, context)
  const size = limit ?? DEFAULT_LIMIT
  return {
    ...required,
    statements: [
      (table) => {
        const cells = periods.map(
          (range, period) =>
            sql`select ${sql.lit(period)} as period, c.* from (${selectCells(table, range)}) c`,
        )
        const numbers = periods.map((_, period) => selectNumbers(period))
        return sql`select value, ${sql.join(numbers)}
          from (${sql.join(cells, sql` union all `)}) cells group by value
          having sum(case when period = 0 then hits else 0 end) > 0
          order by visitors_0 desc, views_0 desc, ${table.sortable(sql`value`)} nulls last
          limit ${sql.lit(size + 1)} offset ${sql.lit(offset ?? 0)}`
      },
    ],
    toResult: async ([rows = []]) => ({
      columns: ['breakdown_value', ...columnsOf(includeBounceRate)].map(toColumn),
      types: [
        [toColumn('breakdown_value'), 'Nullable(String)'],
        ...columnsOf(includeBounceRate).map((name) => [toColumn(name), PAIR] as const),
      ],
      results: rows.slice(0, size).map((row) => toResultRow(row, periods, includeBounceRate)),
      hasMore: rows.length > size,
    }),
  }
}

const PAIR = 'Tuple(Nullable(Float64), Nullable(Float64))'

const toColumn = (name: string): string => `context.columns.${name}`

const columnsOf = (hasBounces: boolean | null | undefined): readonly string[] => [
  'visitors',
  'views',
  ...(hasBounces ? ['bounce_rate'] : []),
]

interface Cells {
  readonly required: RequiredColumns
  /** Selects `hits`, `visits` and `bounces` of each `value` and `visitor`. */
  selectCells(table: EventTable, range: TimeRange): Sql
}

function chooseCells(
  query: WebStatsTableQuery,
  periods: readonly TimeRange[],
  context: Context,
): Cells {
  const { breakdownBy, includeBounceRate } = query
  if (breakdownBy === 'Page') {
    if (includeBounceRate) {
      const attr = `${context.attr}__includeBounceRate`
      throw invalid(attr, 'A visit has several pages. Use "InitialPage" for bounce rates.')
    }
    return {
      required: requirePages(query, periods, context),
      selectCells: (table, range) =>
        sql`select value, visitor, hits, 0 as visits, 0 as bounces
          from (${selectPages(table, query, range, context)}) pages`,
    }
  }
  const visits = parseVisits(query, context)
  const parts = fieldsOfBreakdown(breakdownBy)
  const fields = [...parts, ...(includeBounceRate ? BOUNCE_FIELDS : [])]
  const names = sql.join(parts.map((name) => sql`s.${sql.raw(name)}`))
  return {
    required: requireVisits(visits, fields),
    // grouped before the text is computed, which takes long for channels
    selectCells: (table, range) => sql`select value, visitor, sum(hits) as hits,
        sum(visits) as visits, sum(bounces) as bounces
      from (
        select ${toVisitText(table, breakdownBy)} as value, s.visitor as visitor, s.hits as hits,
          s.visits as visits, s.bounces as bounces
        from (
          select ${names}, s.visitor, sum(s.hits) as hits, count(*) as visits,
            ${includeBounceRate ? bounces : sql`0`} as bounces
          from (${selectVisits(table, visits, range, fields)}) s group by ${names}, s.visitor
        ) s
      ) texts group by value, visitor`,
  }
}

/** Counts visitors without `distinct`, since each has one cell: PostgreSQL would sort all cells. */
const selectNumbers = (period: number): Sql => {
  const ofPeriod = (name: string) =>
    sql`sum(case when period = ${sql.lit(period)} then ${sql.raw(name)} else 0 end)::bigint as ${sql.raw(`${name === 'hits' ? 'views' : name}_${period}`)}`
  return sql`count(case when period = ${sql.lit(period)} then 1 end)::bigint as ${sql.raw(`visitors_${period}`)},
    ${ofPeriod('hits')}, ${ofPeriod('visits')}, ${ofPeriod('bounces')}`
}

function toResultRow(
  row: StatementRow,
  periods: readonly TimeRange[],
  hasBounces: boolean | null | undefined,
): readonly unknown[] {
  const toPair = (read: (period: number) => number | null): NowAndBefore => [
    read(0),
    periods.length > 1 ? read(1) : null,
  ]
  const rate = (period: number) => {
    const visits = toNumber(row[`visits_${period}`])
    return visits === 0 ? null : toNumber(toNumber(row[`bounces_${period}`]) / visits)
  }
  return [
    row.value ?? null,
    toPair((period) => toNumber(row[`visitors_${period}`])),
    toPair((period) => toNumber(row[`views_${period}`])),
    ...(hasBounces ? [toPair(rate)] : []),
  ]
}
