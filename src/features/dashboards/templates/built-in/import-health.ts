import type { Template } from '../template.ts'
import { layOut } from './lay-out.ts'
import { anyEvents, insight, table, trend } from './queries.ts'

/** Works with any events. */
export const importHealth: Template = {
  name: 'Import health',
  description: 'What arrives, how much of it, and how lately.',
  filters: {},
  tags: ['imports'],
  tiles: layOut([
    {
      name: 'Events of the last 7 days',
      description: 'All that was imported or sent, beside the 7 days before.',
      color: 'blue',
      query: trend({ from: '-7d', display: 'BoldNumber', compare: true, series: [anyEvents()] }),
    },
    {
      name: 'People of the last 7 days',
      description: 'Whom those events are about, each counted once.',
      color: 'green',
      query: trend({
        ...{ from: '-7d', display: 'BoldNumber', compare: true },
        series: [anyEvents('dau')],
      }),
    },
    {
      name: 'Events per hour',
      description: 'A gap is an import that did not run.',
      w: 12,
      query: trend({
        ...{ from: '-48h', interval: 'hour', display: 'ActionsBar' },
        series: [anyEvents()],
      }),
    },
    {
      name: 'Events per day',
      description: 'The last 30 days.',
      query: trend({ from: '-30d', series: [anyEvents()] }),
    },
    {
      name: 'New and returning people',
      description: 'Who is new, who stays, who comes back and who goes.',
      query: insight({
        kind: 'LifecycleQuery',
        series: [anyEvents()],
        interval: 'day',
        dateRange: { date_from: '-30d' },
      }),
    },
    {
      name: 'Events by name',
      description: 'How many there are, about how many people, and the newest of each.',
      h: 8,
      query: table(
        'select event, count(*) as total, count(distinct distinct_id) as people, max(timestamp) as newest from events group by event order by total desc, event limit 100',
      ),
    },
    {
      name: 'Newest events',
      description: 'What came last.',
      h: 8,
      query: table(
        'select timestamp, event, distinct_id from events order by timestamp desc, uuid limit 50',
      ),
    },
  ]),
}
