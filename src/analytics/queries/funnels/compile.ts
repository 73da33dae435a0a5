import { sql } from 'kysely'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { FunnelResult, FunnelTimes, FunnelTrend } from '#model/query-results.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { parseBreakdown } from '../breakdown.ts'
import { type ColumnRef, toAsked } from '../columns.ts'
import { columnsIn } from '../filters.ts'
import { resolveRange } from '../periods.ts'
import { type Context, commonColumns, type Plan } from '../plan.ts'
import { toOrderedAttempts } from './attempts-ordered.ts'
import { toStrictAttempts } from './attempts-strict.ts'
import { toUnorderedAttempts } from './attempts-unordered.ts'
import { breakDownAttempts } from './break-down.ts'
import {
  type Funnel,
  parseStepRange,
  requireFirstTouch,
  requireNoExclusions,
  toWindowMs,
} from './funnel.ts'
import { selectStepEvents } from './select-events.ts'
import { selectSteps, toSteps } from './shape-steps.ts'
import { measureDurations, selectTimes, toTimes } from './shape-times.ts'
import { selectTrends, toTrends } from './shape-trends.ts'

type Result = FunnelResult | FunnelTimes | readonly FunnelTrend[]

/**
 * Counts the people who take the steps of a funnel within a window: parse, select events, find each person's furthest
 * attempt, break down, shape results. Events outside of the range are no steps.
 */
export function compileFunnelsQuery(query: FunnelsQuery, context: Context): Plan<Result> {
  const funnel = parseFunnel(query, context)
  const { selectFinal, shape } = chooseResult(funnel)
  return {
    ...toAsked(listColumns(funnel)),
    statements: [
      (table) => {
        const ctes = [
          selectStepEvents(table, funnel),
          ...findAttempts(funnel),
          ...breakDownAttempts(table, funnel),
        ]
        const { more = [], select } = selectFinal(table)
        return sql`with ${sql.join([...ctes, ...more])} ${select}`
      },
    ],
    toResult: ([rows = []]) => shape(rows),
  }
}

function parseFunnel(query: FunnelsQuery, context: Context): Funnel {
  requireNoExclusions(query, context)
  const range = resolveRange(query, context)
  const stepRange = parseStepRange(query, context)
  const breakdown = parseBreakdown(query.breakdownFilter, `${context.attr}__breakdownFilter`)
  if (breakdown) requireFirstTouch(query, context)
  return {
    query,
    context,
    range,
    stepRange,
    breakdown,
    order: query.funnelsFilter?.funnelOrderType ?? 'ordered',
    windowMs: toWindowMs(query),
  }
}

/** Adds CTEs that end in `attempts`: the furthest attempt of each person who began. */
function findAttempts({ query: { series }, order, windowMs }: Funnel): Sql[] {
  switch (order) {
    case 'strict':
      return toStrictAttempts(series.length, windowMs)
    case 'unordered':
      return toUnorderedAttempts(series, windowMs)
    default:
      return toOrderedAttempts(series, windowMs)
  }
}

interface ResultShape {
  selectFinal(table: EventTable): { readonly more?: readonly Sql[]; readonly select: Sql }
  shape(rows: readonly StatementRow[]): Result
}

/** Shows the steps, the conversion over time, or how long it took. */
function chooseResult({ query, range, stepRange, breakdown }: Funnel): ResultShape {
  const { series, funnelsFilter } = query
  const hasBreakdown = breakdown !== undefined
  switch (funnelsFilter?.funnelVizType ?? 'steps') {
    case 'steps':
      return {
        selectFinal: () => ({ select: selectSteps(series.length, hasBreakdown) }),
        shape: (rows) => toSteps(series, hasBreakdown, rows),
      }
    case 'trends':
      return {
        selectFinal: (table) => ({ select: selectTrends(table, range, stepRange, hasBreakdown) }),
        shape: (rows) => toTrends(range, hasBreakdown, rows),
      }
    default:
      return {
        selectFinal: (table) => ({
          more: [measureDurations(table, stepRange)],
          select: selectTimes(table, funnelsFilter?.binCount ?? 'auto'),
        }),
        shape: toTimes,
      }
  }
}

const listColumns = ({ query, context, breakdown }: Funnel): ColumnRef[] => [
  ...commonColumns(query, context),
  ...query.series.flatMap((node) => columnsIn(node.properties)),
  ...(breakdown?.by ?? []),
]
