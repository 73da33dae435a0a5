import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { type LifecycleQuery, STATUSES } from '#model/query-kinds/lifecycle.schema.ts'
import type { LifecycleSeries } from '#model/query-results.ts'
import { type Range, toLastIntervals, toRange } from '../dates.ts'
import { propertiesIn } from '../filters.ts'
import { toAction, toDay, toLabel, toSeriesTitle } from '../labels.ts'
import { type Context, commonProperties, type Plan } from '../plan.ts'
import { countStatuses } from './count.ts'
import { countPeople } from './count-people.ts'

export function compileLifecycleQuery(
  query: LifecycleQuery,
  context: Context,
): Plan<readonly LifecycleSeries[]> {
  const node = query.series[0] as EventsNode
  const window = resolveIntervals(query, context)
  const shown = window.buckets.slice(1)
  const toggled = query.lifecycleFilter?.toggledLifecycles
  return {
    properties: [...propertiesIn(node.properties), ...commonProperties(query, context)],
    statements: [(table) => countPeople(table, { query, node, window }, context)],
    toResult([rows = []]) {
      const counts = countStatuses(rows, window.buckets.length)
      return STATUSES.filter((status) => !toggled || toggled.includes(status)).map((status) => {
        const data = counts.map((each) => each[status])
        return {
          label: `${toSeriesTitle(node)} - ${status}`,
          status,
          count: data.reduce((sum, count) => sum + count, 0),
          data,
          labels: shown.map((bucket) => toLabel(bucket, window.interval)),
          days: shown.map((bucket) => toDay(bucket, window.interval)),
          action: toAction(node, 0),
        }
      })
    },
  }
}

/**
 * The intervals of the range and the one before, each of them whole: whoever came on the days of a week that the range
 * leaves out was there in this week all the same.
 */
function resolveIntervals({ dateRange, interval }: LifecycleQuery, context: Context): Range {
  const range = toRange(dateRange, interval ?? 'day', context, `${context.attr}__dateRange`)
  const last = Temporal.Instant.fromEpochMilliseconds((range.to - 1) * 1000)
  return toLastIntervals(
    range.buckets.length + 1,
    last.toZonedDateTimeISO(context.zone),
    range.interval,
    context,
  )
}
