import type { ChartPoint } from '#model/chart.ts'
import { duration, fullNumber } from '#model/format.ts'
import { listOf } from '#model/json.ts'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import {
  type FunnelStep,
  type FunnelTimes,
  type FunnelTrend,
  isFunnelTimes,
  isFunnelTrend,
} from '#model/query-results.ts'
import { toBreakdownLabel, toStepName } from '#model/series-names.ts'
import {
  type KindPersons,
  longDay,
  type PointPersons,
  pointOverTime,
} from '../../../persons/behind-point/point.ts'

export const persons: KindPersons<FunnelsQuery> = {
  toPersons(query, result, point) {
    if (isFunnelTimes(result)) return toBinPersons(query, result, point)
    return isFunnelTrend(result)
      ? toEntered(query, result[point.series], point)
      : toStepPersons(query, result, point)
  },

  pointAt(result, row, column) {
    if (isFunnelTimes(result)) return column === 1 ? { series: 0, index: row } : undefined
    if (isFunnelTrend(result)) return pointOverTime(row, column)
    const groups = toStepGroups(result)
    const hasBreakdown = groups.some(([first]) => first?.breakdown_value !== undefined)
    const count = groups[0]?.length ?? 1
    return column === (hasBreakdown ? COUNT + 1 : COUNT)
      ? { series: Math.floor(row / count), index: row % count }
      : undefined
  },
}

/** The column with the number of persons if there is no breakdown. */
const COUNT = 2

/** Returns the steps for each breakdown value. */
function toStepGroups(result: unknown): readonly (readonly FunnelStep[])[] {
  const steps = listOf<FunnelStep | readonly FunnelStep[]>(result)
  return (Array.isArray(steps[0]) ? steps : [steps]) as readonly (readonly FunnelStep[])[]
}

function toStepPersons(
  query: FunnelsQuery,
  result: unknown,
  { series, index = -1, dropped = false }: ChartPoint,
): PointPersons | undefined {
  const group = toStepGroups(result)[series]
  const step = group?.[index]
  const before = group?.[index - 1]
  if (!step || (dropped && !before)) return undefined
  const { breakdown_value: value } = step
  const at = { series, index }
  return {
    words: [
      toStepName(step),
      ...(before ? [dropped ? 'dropped off' : 'converted'] : []),
      ...(value === undefined ? [] : [toBreakdownLabel(step)]),
    ],
    source: {
      kind: 'FunnelsActorsQuery',
      source: query,
      funnelStep: dropped ? -(index + 1) : index + 1,
      ...(value !== undefined && { funnelStepBreakdown: value }),
    },
    ...(before && {
      related: [
        { label: `Converted (${fullNumber(step.count)})`, point: at },
        {
          label: `Dropped off (${fullNumber(before.count - step.count)})`,
          point: { ...at, dropped: true },
        },
      ],
    }),
  }
}

/** Returns the persons who took the time of a bin to convert. */
function toBinPersons(
  query: FunnelsQuery,
  { bins }: FunnelTimes,
  { index = -1 }: ChartPoint,
): PointPersons | undefined {
  const from = bins[index]?.[0]
  const to = bins[index + 1]?.[0]
  if (from === undefined) return undefined
  return {
    words: [
      to === undefined
        ? `converted in ${duration(from)} or more`
        : `converted in ${duration(from)} to ${duration(to)}`,
    ],
    source: {
      kind: 'FunnelsActorsQuery',
      source: query,
      funnelTimeFrom: from,
      ...(to !== undefined && { funnelTimeTo: to }),
    },
  }
}

/** Returns the persons who entered the funnel in an interval and converted, or did not. */
function toEntered(
  query: FunnelsQuery,
  line: FunnelTrend | undefined,
  { series, index = -1, dropped = false }: ChartPoint,
): PointPersons | undefined {
  const day = line?.days[index]
  if (!line || day === undefined) return undefined
  const { breakdown_value: value } = line
  const at = { series, index }
  return {
    words: [
      `entered on ${longDay(day, query.interval)}`,
      dropped ? 'dropped off' : 'converted',
      ...(value === undefined ? [] : [toBreakdownLabel(line)]),
    ],
    source: {
      kind: 'FunnelsActorsQuery',
      source: query,
      funnelTrendsEntrancePeriodStart: day,
      funnelTrendsDropOff: dropped,
      ...(value !== undefined && { funnelStepBreakdown: value }),
    },
    related: [
      { label: 'Converted', point: at },
      { label: 'Dropped off', point: { ...at, dropped: true } },
    ],
  }
}
