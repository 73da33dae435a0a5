import type { Template } from '#server/features/dashboards/templates/template.ts'
import { FIGURE, layOut } from '../lay-out.ts'
import { events, figure, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

const entries = (math = 'total') => events('feed entry', math, { custom_name: 'Entries' })

export const rss: Template = {
  name: 'RSS',
  description: 'Entries of feeds and their authors, from the import app RSS.',
  filters: {},
  tags: ['imports', 'community'],
  tiles: layOut([
    monthlyFigure('Entries', entries()),
    monthlyFigure('Authors', entries('dau'), { about: 'A feed without authors is one itself.' }),
    {
      name: 'Entries (last 7 days)',
      description: 'Compared with the 7 days before.',
      ...FIGURE,
      query: figure('-7d', entries()),
    },
    {
      name: 'Authors (last 7 days)',
      description: 'Compared with the 7 days before.',
      ...FIGURE,
      query: figure('-7d', entries('dau')),
    },
    {
      name: 'Entries per week, by feed',
      description: 'The last 90 days.',
      w: 12,
      query: trend({
        ...{ from: '-90d', interval: 'week', display: 'ActionsBar', breakdown: 'feed' },
        series: [entries()],
      }),
    },
    {
      name: 'Newest entries',
      description: 'The last 50 entries.',
      query: sqlTable(
        "select timestamp, properties.title as title, properties.link as link, properties.feed as feed from events where event = 'feed entry' order by timestamp desc, uuid limit 50",
      ),
    },
    {
      name: 'Authors with most entries',
      description: 'The last 90 days.',
      query: sqlTable(
        "select distinct_id as author, count() as entries, max(timestamp) as newest from events where event = 'feed entry' and timestamp > now() - interval 90 day group by author order by entries desc, author limit 50",
      ),
    },
  ]),
}
