import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SQL_DISPLAYS, TREND_DISPLAYS } from '#model/displays.ts'
import { QUERY_KINDS } from '#model/query-kinds/index.ts'
import { template } from '../../../test/fixtures.ts'
import { TemplateSketch } from './sketch.tsx'

const trendWith = (display: string) => ({ kind: 'TrendsQuery', trendsFilter: { display } })
const sqlWith = (display: string) => ({
  kind: 'DataVisualizationNode',
  display,
  source: { kind: 'HogQLQuery' },
})

/** Draws a tile with a query, and returns the elements of its sketch. */
function sketch(query: object): string {
  const one = template({ tiles: [{ type: 'INSIGHT', name: 'One', query }] })
  return (
    render(<TemplateSketch template={one} />).container.querySelector('svg svg')?.innerHTML ?? ''
  )
}

it.each([
  ...Object.keys(TREND_DISPLAYS).map(trendWith),
  ...Object.keys(SQL_DISPLAYS).map(sqlWith),
  ...QUERY_KINDS.map(({ kind }) => ({ kind })),
])('has a sketch of %j', (query) => {
  expect(sketch(query)).not.toBe('')
})

it.each([
  ['a calendar', trendWith('CalendarHeatmap')],
  ['areas', trendWith('ActionsAreaGraph')],
  ['grouped bars', trendWith('ActionsUnstackedBar')],
  ['SQL', sqlWith('ActionsBar')],
  ['stickiness', { kind: 'StickinessQuery' }],
])('draws %s unlike lines', (_, query) => {
  expect(sketch(query)).not.toBe(sketch(trendWith('ActionsLineGraph')))
})

it('has room for the number of a figure that is two rows high', () => {
  const layouts = { sm: { x: 0, y: 0, w: 3, h: 2 } }
  const figure = { type: 'INSIGHT', name: 'One', query: trendWith('BoldNumber'), layouts }

  const { container } = render(<TemplateSketch template={template({ tiles: [figure] })} />)

  expect(Number(container.querySelector('svg svg')?.getAttribute('height'))).toBeGreaterThan(5)
})
