import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SQL_DISPLAYS, TREND_DISPLAYS } from '#model/displays.ts'
import { QUERY_KINDS } from '#model/query-kinds/index.ts'
import { template } from '../../../test/fixtures.ts'
import { TemplateSketch } from './sketch.tsx'
import { toSketch } from './sketch-tiles.ts'

const trendWith = (display: string) => ({ kind: 'TrendsQuery', trendsFilter: { display } })
const sqlWith = (display: string) => ({
  kind: 'DataVisualizationNode',
  display,
  source: { kind: 'HogQLQuery' },
})

it.each([
  ...Object.entries(TREND_DISPLAYS).map(([name, { sketch }]) => [sketch, trendWith(name)] as const),
  ...Object.entries(SQL_DISPLAYS).map(([name, { sketch }]) => [sketch, sqlWith(name)] as const),
])('draws a tile as %s: %j', (sketch, query) => {
  const one = template({ tiles: [{ type: 'INSIGHT', name: 'One', query }] })

  const { container } = render(<TemplateSketch template={one} />)

  expect(toSketch(query)).toBe(sketch)
  expect(container.querySelectorAll('svg svg > *').length).toBeGreaterThan(0)
})

it.each(QUERY_KINDS)('$kind has a sketch', ({ display, sketch }) => {
  expect(display ?? sketch).toBeDefined()
})

it('draws bars and areas unlike lines', () => {
  const drawn = ['ActionsLineGraph', 'ActionsAreaGraph', 'ActionsUnstackedBar', 'CalendarHeatmap']

  expect(new Set(drawn.map((name) => toSketch(trendWith(name)))).size).toBe(drawn.length)
})
