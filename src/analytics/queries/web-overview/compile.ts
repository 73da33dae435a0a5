import { sql } from 'kysely'
import type { WebOverviewQuery } from '#model/query-kinds/web-overview.schema.ts'
import type { WebFigure } from '#model/web-figures.ts'
import type { EventTable, StatementRow } from '#server/analytics/event-table.ts'
import { resolvePeriods } from '../periods.ts'
import { type Context, type Plan, toNumber } from '../plan.ts'
import { BOUNCE_FIELDS, bounces, parseVisits, requireVisits, selectVisits } from '../web/visits.ts'

/** Counts visitors, their views and visits, and measures the visits: one statement for each period. */
export function compileWebOverviewQuery(
  query: WebOverviewQuery,
  context: Context,
): Plan<readonly WebFigure[]> {
  const visits = parseVisits(query, context)
  return {
    ...requireVisits(visits, BOUNCE_FIELDS),
    statements: resolvePeriods(query, context).map(
      (range) => (table: EventTable) =>
        sql`
        select count(distinct s.visitor)::bigint as visitors, sum(s.hits)::bigint as views,
          count(*)::bigint as sessions, sum(s.seconds)::bigint as seconds, ${bounces}::bigint as bounces
        from (${selectVisits(table, visits, range, BOUNCE_FIELDS)}) s`,
    ),
    toResult: async ([now, before]) => toFigures(toValues(now?.[0]), before && toValues(before[0])),
  }
}

type Values = Readonly<Record<WebFigure['key'], number | null>>

function toValues(row: StatementRow | undefined): Values {
  const sessions = toNumber(row?.sessions)
  const ofVisit = (sum: unknown) => (sessions === 0 ? null : toNumber(toNumber(sum) / sessions))
  return {
    visitors: toNumber(row?.visitors),
    views: toNumber(row?.views),
    sessions,
    'session duration': ofVisit(row?.seconds),
    'bounce rate': ofVisit(100 * toNumber(row?.bounces)),
  }
}

const FIGURES = [
  { key: 'visitors', kind: 'unit' },
  { key: 'views', kind: 'unit' },
  { key: 'sessions', kind: 'unit' },
  { key: 'session duration', kind: 'duration_s' },
  { key: 'bounce rate', kind: 'percentage', isIncreaseBad: true },
] as const

const toFigures = (now: Values, before: Values | undefined): WebFigure[] =>
  FIGURES.map((figure) => {
    const value = now[figure.key]
    const previous = before?.[figure.key] ?? null
    const hasChange = value !== null && previous !== null && previous !== 0
    const change = hasChange ? Math.round(((value - previous) / previous) * 100) : null
    return { ...figure, value, previous, changeFromPreviousPct: change }
  })
