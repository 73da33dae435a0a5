import { sql } from 'kysely'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { FunnelResult, FunnelTimes, FunnelTrend } from '#model/query-results.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { toRequired } from '../columns.ts'
import type { Context, Plan } from '../plan.ts'
import { countBreakdownValues, requireFewValues } from '../size.ts'
import { placeAttempts } from './attempts.ts'
import { type Funnel, listColumns, parseFunnel } from './funnel.ts'
import { selectSteps, toSteps } from './shape-steps.ts'
import { measureDurations, selectTimes, toTimes } from './shape-times.ts'
import { selectTrends, toTrends } from './shape-trends.ts'

type Result = FunnelResult | FunnelTimes | readonly FunnelTrend[]

/**
 * Counts the persons who take the steps of a funnel within a window: parse, select events, find each person's furthest
 * attempt, break down, shape results. Events outside of the range are not steps.
 */
export function compileFunnelsQuery(query: FunnelsQuery, context: Context): Plan<Result> {
  const funnel = parseFunnel(query, context)
  const { selectFinal, shape } = chooseResult(funnel, context)
  return {
    ...toRequired(listColumns(funnel), funnel.range),
    statements: [
      (table) => {
        const { more = [], select } = selectFinal(table)
        return sql`with ${sql.join([...placeAttempts(table, funnel), ...more])} ${select}`
      },
    ],
    toResult: ([rows = []]) => shape(rows),
  }
}

interface ResultShape {
  selectFinal(table: EventTable): { readonly more?: readonly Sql[]; readonly select: Sql }
  shape(rows: readonly StatementRow[]): Promise<Result>
}

/** Chooses between the steps, the conversion over time and the conversion times. */
function chooseResult(funnel: Funnel, { attr }: Context): ResultShape {
  const { query, range, stepRange, breakdown } = funnel
  const { series, funnelsFilter } = query
  const hasBreakdown = breakdown !== undefined
  switch (funnelsFilter?.funnelVizType ?? 'steps') {
    case 'steps':
      return {
        selectFinal: () => ({ select: selectSteps(series.length, hasBreakdown) }),
        shape: (rows) => toSteps(series, breakdown, rows),
      }
    case 'trends': {
      const lines = countBreakdownValues(breakdown)
      requireFewValues({ lines, periods: [range], fewer: ['breakdown values'] }, attr)
      return {
        selectFinal: (table) => ({ select: selectTrends(table, range, stepRange, hasBreakdown) }),
        shape: (rows) => toTrends(funnel, rows),
      }
    }
    default:
      return {
        selectFinal: (table) => ({
          more: [measureDurations(table, stepRange)],
          select: selectTimes(table, funnelsFilter?.binCount ?? 'auto'),
        }),
        shape: async (rows) => toTimes(rows),
      }
  }
}
