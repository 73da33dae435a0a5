import type { Template } from '#server/features/dashboards/templates/template.ts'
import { FIGURE, layOut } from '../lay-out.ts'
import { events, figure, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

interface RowsOptions {
  readonly name: string
  readonly event: string
  /** The word for what is counted, in the plural. */
  readonly noun: string
  /** Says what the time of a row is. */
  readonly time: string
  readonly from: string
}

/** Counts rows only, because every table has columns of its own. */
export function rowsTemplate({ name, event, noun, time, from }: RowsOptions): Template {
  const rows = (math = 'total') => events(event, math)
  return {
    name,
    description: `${noun} of the import app ${name}, to start from.`,
    filters: {},
    tags: ['imports'],
    tiles: layOut([
      monthlyFigure(noun, rows()),
      monthlyFigure('People', rows('dau')),
      {
        name: `${noun} (last 7 days)`,
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
        name: `${noun} per week`,
        description: time,
        query: trend({ from, interval: 'week', display: 'ActionsBar', series: [rows()] }),
      },
      {
        name: `Newest ${noun.toLowerCase()}`,
        description: `The last 50 ${noun.toLowerCase()}.`,
        query: sqlTable(
          `select timestamp, distinct_id from events where event = '${event}' order by timestamp desc, uuid limit 50`,
        ),
      },
    ]),
  }
}
