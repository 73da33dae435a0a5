import { duration, fullNumber, percent } from '../format.ts'
import { listOf } from '../json.ts'
import type { RowNames } from '../names/row-names.ts'
import { type FunnelStep, isFunnelTimes, isFunnelTrend } from '../query-results.ts'
import { toStepName } from '../series-names.ts'
import { ALL_EVENTS, LAST_30_DAYS, withoutMath } from './events.ts'
import type { FunnelsQuery } from './funnels.schema.ts'
import type { QueryKind, Rows } from './query-kind.ts'
import { toColumnsOverTime } from './rows.ts'

export const funnels: QueryKind<FunnelsQuery> = {
  id: 'funnels',
  kind: 'FunnelsQuery',
  name: 'Funnel',
  description: 'Conversion from step to step.',
  wrapper: { kind: 'InsightVizNode' },
  newQuery: {
    kind: 'FunnelsQuery',
    series: [ALL_EVENTS, ALL_EVENTS],
    dateRange: LAST_30_DAYS,
    funnelsFilter: {
      funnelOrderType: 'ordered',
      funnelVizType: 'steps',
      funnelWindowInterval: 14,
      funnelWindowIntervalUnit: 'day',
    },
  },
  fields: {
    dates: true,
    filters: true,
    hasInterval: ({ funnelsFilter }) => funnelsFilter?.funnelVizType === 'trends',
  },
  eventSeparator: ' → ',
  withEvents: (query, events) => ({
    ...query,
    series: [...events.map(withoutMath), ...(events.length < 2 ? [ALL_EVENTS] : [])],
  }),

  toRows(result, names) {
    if (isFunnelTimes(result)) return [['from_seconds', 'people'], ...result.bins]
    if (!isFunnelTrend(result)) return toStepRows(result, names)
    return toColumnsOverTime(result, (line) => names.ofBreakdown(line) ?? CONVERSION)
  },

  /** Several bars of a step share one tooltip. */
  describePoint(result, index) {
    const step = listOf<FunnelStep>(result)[index]
    if (typeof step?.conversion_rate !== 'number') return undefined
    const median = step.median_conversion_time
    return {
      heading: toStepName(step),
      rows: [
        { label: 'People', value: fullNumber(step.count) },
        { label: 'Of first step', value: percent(step.conversion_rate) },
        ...(step.order > 0
          ? [{ label: 'Of previous step', value: percent(step.step_conversion_rate) }]
          : []),
        ...(median === null ? [] : [{ label: 'Median time', value: duration(median) }]),
      ],
    }
  },

  actors: {
    within: 'FunnelsActorsQuery',
    fields: [
      'funnelStep',
      'funnelStepBreakdown',
      'funnelTrendsDropOff',
      'funnelTrendsEntrancePeriodStart',
      'funnelTimeFrom',
      'funnelTimeTo',
    ],
  },
  loadDrawing: async () => (await import('../charts/funnel.ts')).drawFunnel,
  alert: {},
}

const CONVERSION = 'conversion_percent'

function toStepRows(result: unknown, names: RowNames): Rows {
  const steps = listOf<FunnelStep | readonly FunnelStep[]>(result).flat() as FunnelStep[]
  const hasBreakdown = steps.some(({ breakdown_value }) => breakdown_value !== undefined)
  const header = [
    'step',
    'name',
    'count',
    'conversion_rate',
    'step_conversion_rate',
    'median_seconds',
    'average_seconds',
  ]
  const rows = steps.map((step) => [
    ...(hasBreakdown ? [names.ofBreakdown(step)] : []),
    step.order + 1,
    step.custom_name || names.event(step.name),
    step.count,
    step.conversion_rate,
    step.step_conversion_rate,
    step.median_conversion_time,
    step.average_conversion_time,
  ])
  return [[...(hasBreakdown ? ['breakdown'] : []), ...header], ...rows]
}
