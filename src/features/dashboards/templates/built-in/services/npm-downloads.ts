import type { Template } from '#server/features/dashboards/templates/template.ts'
import { FIGURE, layOut } from '../lay-out.ts'
import { events, figure, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

const downloads = (math = 'sum') =>
  events('npm_downloads', math, { math_property: 'downloads', custom_name: 'Downloads' })

export const npmDownloads: Template = {
  name: 'npm downloads',
  description: 'Downloads of packages, from the import app npm downloads.',
  filters: {},
  tags: ['imports', 'development'],
  tiles: layOut([
    monthlyFigure('Downloads', downloads()),
    {
      name: 'Downloads (last 7 days)',
      description: 'Compared with the 7 days before.',
      ...FIGURE,
      query: figure('-7d', downloads()),
    },
    monthlyFigure('Average day', downloads('avg')),
    monthlyFigure('Best day', downloads('max')),
    {
      name: 'Downloads per week, by package',
      description: 'The last 180 days.',
      w: 12,
      query: trend({
        from: '-180d',
        interval: 'week',
        breakdown: 'package',
        series: [downloads()],
      }),
    },
    {
      name: 'Downloads per day',
      description: 'Fewer at weekends.',
      query: trend({ from: '-30d', display: 'ActionsBar', series: [downloads()] }),
    },
    {
      name: 'Packages',
      description: 'The last 365 days.',
      query: sqlTable(
        "select properties.package as package, sum(toFloat(properties.downloads)) as downloads, max(timestamp) as newest from events where event = 'npm_downloads' group by package order by downloads desc, package limit 50",
      ),
    },
  ]),
}
