import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { TREND_DISPLAYS } from '#model/displays.ts'
import { QUERY_KINDS } from '#model/query-kinds/index.ts'
import { renderInApp } from '../../test/render.tsx'
import { InsightKind } from './insight-kind.tsx'

const trendWith = (display: string) => ({ kind: 'TrendsQuery', trendsFilter: { display } })

/** Returns the accessible name of the icon of a query. */
async function nameOf(query: object): Promise<string | null> {
  await renderInApp(<InsightKind query={query} />)
  const image = await screen.findByRole('img')
  expect(image.querySelector('svg')).toBeTruthy()
  return image.getAttribute('aria-label')
}

it.each(Object.entries(TREND_DISPLAYS).slice(1))(
  '%s has an icon, and the label of the editor',
  async (display, { label }) => {
    expect(await nameOf({ kind: 'InsightVizNode', source: trendWith(display) })).toBe(label)
  },
)

it.each(QUERY_KINDS)('$kind has an icon and a name', async ({ kind, name }) => {
  expect(await nameOf({ kind: 'InsightVizNode', source: { kind } })).toBe(name)
})

it.each([
  ['Trends', trendWith('ActionsLineGraph')],
  ['SQL', { kind: 'DataVisualizationNode', display: 'ActionsBar', source: { kind: 'HogQLQuery' } }],
  ['Insight', { kind: 'Unknown' }],
])('%s keeps its name', async (name, query) => {
  expect(await nameOf(query)).toBe(name)
})
