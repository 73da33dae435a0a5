import { sql } from 'kysely'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { FunnelResult, FunnelTimes, FunnelTrend } from '#model/query-results.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { invalid } from '#server/errors.ts'
import { type Breakdown, breakdownProperties, toBreakdown, toBreakdownValue } from '../breakdown.ts'
import { type Range, toRange } from '../dates.ts'
import { propertiesIn } from '../filters.ts'
import { type Context, commonProperties, type Plan } from '../plan.ts'
import { toOrderedAttempts } from './attempts-ordered.ts'
import { toStrictAttempts } from './attempts-strict.ts'
import { toUnorderedAttempts } from './attempts-unordered.ts'
import { breakDown, requireFirstTouch, withoutBreakdown } from './break-down.ts'
import { selectEvents } from './select-events.ts'
import { selectSteps, toSteps } from './shape-steps.ts'
import { measureDurations, selectTimes, toTimes } from './shape-times.ts'
import { selectTrends, toTrends } from './shape-trends.ts'
import type { StepRange } from './step-columns.ts'

type Result = FunnelResult | FunnelTimes | readonly FunnelTrend[]

/**
 * How many people take the steps of a funnel within a window. Events outside of the range are no steps. Everybody
 * counts once, by the attempt that came furthest.
 */
export function compileFunnelsQuery(query: FunnelsQuery, context: Context): Plan<Result> {
  const { series, funnelsFilter } = query
  requireNoExclusions(query, context)
  const range = toRange(
    query.dateRange,
    query.interval ?? 'day',
    context,
    `${context.attr}__dateRange`,
  )
  const between = parseStepRange(query, context)
  const breakdown = toBreakdown(query.breakdownFilter)
  if (breakdown) requireFirstTouch(query, context)
  const hasBreakdown = breakdown !== undefined
  const properties = [
    ...commonProperties(query, context),
    ...series.flatMap((node) => propertiesIn(node.properties)),
    ...breakdownProperties(breakdown),
  ]
  const statementOf =
    (select: (table: EventTable) => Sql, ...more: ((table: EventTable) => Sql)[]) =>
    (table: EventTable): Sql => {
      const attempts = findAttempts(table, query, range, context, breakdown)
      const parts = [...attempts, ...more.map((part) => part(table))]
      return sql`with ${sql.join(parts)} ${select(table)}`
    }
  switch (funnelsFilter?.funnelVizType ?? 'steps') {
    case 'steps':
      return {
        properties,
        statements: [statementOf(() => selectSteps(series.length, hasBreakdown))],
        toResult: ([rows]) => toSteps(series, hasBreakdown, rows ?? []),
      }
    case 'trends':
      return {
        properties,
        statements: [statementOf((table) => selectTrends(table, range, between, hasBreakdown))],
        toResult: ([rows]) => toTrends(range, hasBreakdown, rows ?? []),
      }
    default: {
      const bins = funnelsFilter?.binCount ?? 'auto'
      return {
        properties,
        statements: [
          statementOf(
            (table) => selectTimes(table, bins),
            (table) => measureDurations(table, between),
          ),
        ],
        toResult: ([rows]) => toTimes(rows ?? []),
      }
    }
  }
}

/** The parts of a statement that end in `attempts`, one for each person who began, and `placed`. */
function findAttempts(
  table: EventTable,
  query: FunnelsQuery,
  range: Range,
  context: Context,
  breakdown: Breakdown | undefined,
): Sql[] {
  const { series, funnelsFilter } = query
  const order = funnelsFilter?.funnelOrderType ?? 'ordered'
  const windowMs = toWindowMs(query)
  const first = order === 'unordered' ? sql`true` : sql`s1`
  const found = selectEvents(table, query, range, context, {
    others: order === 'strict',
    value: breakdown && toBreakdownValue(table, breakdown),
  })
  const attempts = {
    ordered: () => toOrderedAttempts(series, windowMs),
    strict: () => toStrictAttempts(series.length, windowMs),
    unordered: () => toUnorderedAttempts(series, windowMs),
  }[order]()
  const places = breakdown ? breakDown(table, breakdown, first) : [withoutBreakdown()]
  return [found, ...attempts, ...places]
}

const DAY_MS = 86_400_000
const UNITS_MS = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 31 * DAY_MS,
} as const

const toWindowMs = ({ funnelsFilter }: FunnelsQuery): number =>
  (funnelsFilter?.funnelWindowInterval ?? 14) *
  UNITS_MS[funnelsFilter?.funnelWindowIntervalUnit ?? 'day']

/** Counted from 1, as the columns are. */
function parseStepRange({ series, funnelsFilter }: FunnelsQuery, { attr }: Context): StepRange {
  const from = (funnelsFilter?.funnelFromStep ?? 0) + 1
  const to = (funnelsFilter?.funnelToStep ?? series.length - 1) + 1
  const at = `${attr}__funnelsFilter`
  if (to > series.length) throw invalid(`${at}__funnelToStep`, 'There is no such step.')
  if (from < to) return { from, to }
  throw invalid(`${at}__funnelFromStep`, 'This step must come before the one it is measured to.')
}

function requireNoExclusions({ funnelsFilter }: FunnelsQuery, { attr }: Context): void {
  if (!funnelsFilter?.exclusions?.length) return
  throw invalid(
    `${attr}__funnelsFilter__exclusions`,
    'Funnels cannot leave out people by what they did between two steps. Leave this out.',
  )
}
