import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import { invalid } from '#server/errors.ts'
import { type Breakdown, parseBreakdown } from '../breakdown.ts'
import type { ColumnRef } from '../columns.ts'
import { countedColumns } from '../counted.ts'
import type { TimeRange } from '../dates.ts'
import { nodeColumns } from '../filters.ts'
import { resolveRange } from '../periods.ts'
import { type Context, commonColumns } from '../plan.ts'
import type { StepRange } from './step-columns.ts'

/** A funnel query after parsing. */
export interface Funnel {
  readonly query: FunnelsQuery
  readonly context: Context
  readonly range: TimeRange
  /** The steps between which times and conversion are measured. */
  readonly stepRange: StepRange
  readonly breakdown: Breakdown | undefined
  readonly order: 'ordered' | 'strict' | 'unordered'
  readonly windowMs: number
}

export function parseFunnel(query: FunnelsQuery, context: Context): Funnel {
  requireNoExclusions(query, context)
  const range = resolveRange(query, context)
  const stepRange = parseStepRange(query, context)
  const attr = `${context.attr}__breakdownFilter`
  const breakdown = parseBreakdown(query.breakdownFilter, context, attr)
  if (breakdown) requireFirstTouch(query, context)
  if (breakdown?.cohorts) requirePersons(query, attr)
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

export const listColumns = ({ query, context, breakdown }: Funnel): ColumnRef[] => [
  ...commonColumns(query, context),
  ...query.series.flatMap(nodeColumns),
  ...(breakdown?.by ?? []),
  ...countedColumns(query.aggregation_group_type_index),
]

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

/** Counts from 1, as the columns do. */
function parseStepRange({ series, funnelsFilter }: FunnelsQuery, { attr }: Context): StepRange {
  const from = (funnelsFilter?.funnelFromStep ?? 0) + 1
  const to = (funnelsFilter?.funnelToStep ?? series.length - 1) + 1
  const at = `${attr}__funnelsFilter`
  if (to > series.length) throw invalid(`${at}__funnelToStep`, 'There is no such step.')
  if (from < to) return { from, to }
  throw invalid(`${at}__funnelFromStep`, 'This step must come before the one it is measured to.')
}

/** Refuses a breakdown of groups by cohorts, which have persons. */
function requirePersons({ aggregation_group_type_index }: FunnelsQuery, attr: string): void {
  if (aggregation_group_type_index === null || aggregation_group_type_index === undefined) return
  throw invalid(`${attr}__breakdown_type`, 'Groups cannot be broken down by cohorts of persons.')
}

/** Refuses a filter of upstream that this server does not support. */
function requireNoExclusions({ funnelsFilter }: FunnelsQuery, { attr }: Context): void {
  if (!funnelsFilter?.exclusions?.length) return
  throw invalid(
    `${attr}__funnelsFilter__exclusions`,
    'Funnels cannot leave out people by what they did between two steps. Leave this out.',
  )
}

/** Refuses attribution to other steps, which upstream supports. */
function requireFirstTouch({ funnelsFilter }: FunnelsQuery, { attr }: Context): void {
  const type = funnelsFilter?.breakdownAttributionType ?? 'first_touch'
  if (type === 'first_touch') return
  if (type === 'step' && !funnelsFilter?.breakdownAttributionValue) return
  throw invalid(
    `${attr}__funnelsFilter__breakdownAttributionType`,
    'A funnel is broken down by what its first step was. Leave this out.',
  )
}
