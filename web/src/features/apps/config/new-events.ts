import type { Chart } from '#model/chart.ts'
import type { Metrics } from '#server/features/import-apps/runs/schema.ts'
import { toWallClock } from '../../../ui/page/zone.ts'

type Part = Metrics['last_24_hours'][number]

/** Builds a chart of new events, like an insight's trend. */
export function toChart(
  period: keyof Metrics,
  parts: readonly Pick<Part, 'start' | 'events'>[],
  zone: string | undefined,
): Chart {
  const interval = period === 'last_24_hours' ? 'hour' : 'day'
  const days = parts.map(({ start }) => toDay(start, interval, zone))
  const title = 'New events'
  const data = parts.map(({ events }) => events)
  const action = { id: title, name: title, custom_name: title, order: 0 }
  const result = [
    {
      label: title,
      count: data.reduce((total, events) => total + events, 0),
      data,
      labels: days,
      days,
      action: { ...action, math: 'total', type: 'events' },
    },
  ]
  const query = { kind: 'TrendsQuery', interval, trendsFilter: { display: 'ActionsBar' } }
  return { title, query, result }
}

/** Hours are those of the page's zone; days are stored in UTC. */
const toDay = (start: string, interval: 'hour' | 'day', zone: string | undefined): string =>
  interval === 'day'
    ? start.slice(0, 10)
    : toWallClock(start, zone).toISOString().slice(0, 19).replace('T', ' ')
