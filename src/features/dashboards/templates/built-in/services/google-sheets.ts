import type { Template } from '#server/features/dashboards/templates/template.ts'
import { FIGURE, layOut } from '../lay-out.ts'
import { events, figure, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

const rows = (math = 'total') => events('sheet row', math)

/** Counts only, because every sheet has columns of its own. */
export const googleSheets: Template = {
  name: 'Google Sheets',
  description: 'Rows of the import app Google Sheets, to start from.',
  filters: {},
  tags: ['imports'],
  tiles: layOut([
    monthlyFigure('Rows', rows()),
    monthlyFigure('People', rows('dau')),
    {
      name: 'Rows (last 7 days)',
      description: 'Compared with the 7 days before.',
      ...FIGURE,
      query: figure('-7d', rows()),
    },
    {
      name: 'People (last 7 days)',
      description: 'Compared with the 7 days before.',
      ...FIGURE,
      query: figure('-7d', rows('dau')),
    },
    {
      name: 'Rows per week',
      description: 'By the time column.',
      query: trend({ from: '-180d', interval: 'week', display: 'ActionsBar', series: [rows()] }),
    },
    {
      name: 'Newest rows',
      description: 'The last 50 rows.',
      query: sqlTable(
        "select timestamp, distinct_id from events where event = 'sheet row' order by timestamp desc, uuid limit 50",
      ),
    },
  ]),
}
