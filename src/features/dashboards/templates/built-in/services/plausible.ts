import type { Template } from '#server/features/dashboards/templates/template.ts'
import { layOut } from '../lay-out.ts'
import { events, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

/** A figure of the days of a site. */
const days = (property: string, name: string, math = 'sum') =>
  events('plausible_day', math, { math_property: property, custom_name: name })

const top = (event: string, property: string, label: string) =>
  sqlTable(
    `select properties.${property} as ${label}, sum(toFloat(properties.visitors)) as visitors from events where event = '${event}' and timestamp > now() - interval 30 day group by ${label} order by visitors desc, ${label} limit 50`,
  )

const BY_DAY = 'The last 30 days. Someone who comes on two days counts twice.'

export const plausible: Template = {
  name: 'Plausible',
  description: 'Visitors, pages, sources and countries, from the import app Plausible.',
  filters: {},
  tags: ['imports', 'marketing'],
  tiles: layOut([
    monthlyFigure('Daily visitors, added up', days('visitors', 'Visitors')),
    monthlyFigure('Visits', days('visits', 'Visits')),
    monthlyFigure('Page views', days('pageviews', 'Page views')),
    monthlyFigure('Average bounce rate', days('bounce_rate', 'Bounce rate', 'avg'), {
      about: 'In percent.',
    }),
    {
      name: 'Visitors and page views per day',
      description: 'The last 90 days.',
      w: 12,
      query: trend({
        from: '-90d',
        series: [days('visitors', 'Visitors'), days('pageviews', 'Page views')],
      }),
    },
    { name: 'Best pages', description: BY_DAY, query: top('plausible_page', 'page', 'page') },
    {
      name: 'Best sources',
      description: BY_DAY,
      query: top('plausible_source', 'source', 'source'),
    },
    {
      name: 'Best countries',
      description: BY_DAY,
      query: top('plausible_country', 'country', 'country'),
    },
  ]),
}
