import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { LAST_30_DAYS, toActionsNode, toEventsNode } from '#model/query-kinds/events.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { EventFilters } from './search.ts'

/** Returns a query that counts the events of a list over time. */
export function toInsightQuery(filters: EventFilters): TrendsQuery {
  const { event, action, distinct_id: id, hours, properties = [] } = filters
  const ofId: PropertyFilter[] = id
    ? [{ type: 'event_metadata', key: 'distinct_id', operator: 'exact', value: [id] }]
    : []
  const all = [...ofId, ...properties]
  return {
    kind: 'TrendsQuery',
    series: [
      {
        ...(action ? toActionsNode({ id: action, name: '' }) : toEventsNode(event ?? null)),
        math: 'total',
      },
    ],
    ...toDates(hours),
    ...(all.length > 0 && { properties: all }),
  }
}

function toDates(hours: number | undefined): Pick<TrendsQuery, 'interval' | 'dateRange'> {
  if (!hours) return { interval: 'day', dateRange: LAST_30_DAYS }
  if (hours <= 24) return { interval: 'hour', dateRange: { date_from: `-${Math.ceil(hours)}h` } }
  return { interval: 'day', dateRange: { date_from: `-${Math.ceil(hours / 24)}d` } }
}
