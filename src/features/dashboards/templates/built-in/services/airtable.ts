import type { Template } from '#server/features/dashboards/templates/template.ts'
import { FIGURE, layOut } from '../lay-out.ts'
import { events, figure, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

export const airtable: Template = {
  name: 'Airtable',
  description: 'Records of the import app Airtable, to start from.',
  filters: {},
  tags: ['imports'],
  tiles: layOut([
    monthlyFigure('Records', events('airtable record')),
    monthlyFigure('People', events('airtable record', 'dau')),
    {
      name: 'Records (last 7 days)',
      description: 'Compared with the 7 days before.',
      ...FIGURE,
      query: figure('-7d', events('airtable record')),
    },
    {
      name: 'People (last 7 days)',
      description: 'Compared with the 7 days before.',
      ...FIGURE,
      query: figure('-7d', events('airtable record', 'dau')),
    },
    {
      name: 'Records per week',
      description: 'By the time when they were created.',
      query: trend({
        from: '-90d',
        interval: 'week',
        display: 'ActionsBar',
        series: [events('airtable record')],
      }),
    },
    {
      name: 'Newest records',
      description: 'The last 50 records.',
      query: sqlTable(
        "select timestamp, distinct_id from events where event = 'airtable record' order by timestamp desc, uuid limit 50",
      ),
    },
  ]),
}
