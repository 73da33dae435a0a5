import type { Template } from '../template.ts'
import { FIGURE, layOut } from './lay-out.ts'
import { anyEvents, figure, queryTile, sqlTable, trend } from './queries.ts'

/** Works with any events. */
export const importHealth: Template = {
  name: 'Import health',
  description: 'Imports, their last runs, and the volume of incoming events.',
  filters: {},
  tags: ['imports'],
  tiles: layOut([
    {
      name: 'Events today',
      description: 'Compared with the whole of yesterday.',
      ...FIGURE,
      query: figure('dStart', anyEvents()),
    },
    {
      name: 'Events (last 7 days)',
      description: 'All imported and captured events, compared with the previous 7 days.',
      ...FIGURE,
      query: figure('-7d', anyEvents()),
    },
    {
      name: 'People (last 7 days)',
      description: 'Unique people in these events, compared with the previous 7 days.',
      ...FIGURE,
      query: figure('-7d', anyEvents('dau')),
    },
    {
      name: 'Events (last 30 days)',
      description: 'Compared with the previous 30 days.',
      ...FIGURE,
      query: figure('-30d', anyEvents()),
    },
    {
      name: 'Imports',
      description: 'How each import is doing, those with problems first.',
      w: 12,
      query: sqlTable(`select name, app, state, message, last_success_at, next_run_at
from import_configs
order by case state when 'failing' then 1 when 'stale' then 2 else 3 end, name`),
    },
    {
      name: 'Last runs',
      description: 'The newest runs of all imports.',
      w: 12,
      query:
        sqlTable(`select c.name as import, r.state, r.started_at, r.new_events, r.skipped, r.message
from import_runs r join import_configs c on c.id = r.config_id
order by r.created_at desc limit 20`),
    },
    {
      name: 'Events per hour',
      description: 'A gap can be an import that did not run.',
      w: 12,
      query: trend({
        from: '-48h',
        interval: 'hour',
        display: 'ActionsBar',
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
      description: 'New, returning, resurrecting and dormant people.',
      query: queryTile({
        kind: 'LifecycleQuery',
        series: [anyEvents()],
        interval: 'day',
        dateRange: { date_from: '-30d' },
      }),
    },
    {
      name: 'Events by name',
      description: 'Count, unique people and newest event by name.',
      h: 7,
      query: sqlTable(
        'select event, count() as total, count(distinct person_id) as people, max(timestamp) as newest from events group by event order by total desc, event limit 100',
      ),
    },
    {
      name: 'Newest events',
      description: 'The last 50 events.',
      h: 7,
      query: sqlTable(
        'select timestamp, event, distinct_id from events order by timestamp desc, uuid limit 50',
      ),
    },
  ]),
}
