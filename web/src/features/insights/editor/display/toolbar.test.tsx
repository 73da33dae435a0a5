import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { QueryNode } from '#model/query-kinds/index.ts'
import { trends } from '#model/query-kinds/trends.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { Toolbar } from './toolbar.tsx'

const nodeWith = (display: 'WorldMap' | 'ActionsBar'): QueryNode => ({
  kind: 'InsightVizNode',
  source: { ...trends.newQuery, trendsFilter: { display, formula: 'A' } },
})

const field = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Display' })

it('offers every display of trends, and stores its name', async () => {
  const onChange = vi.fn()
  const { user } = await renderInApp(<Toolbar node={nodeWith('ActionsBar')} onChange={onChange} />)

  await user.click(await field())
  const options = await screen.findAllByRole('option')
  await user.click(screen.getByRole('option', { name: 'Calendar heatmap' }))

  expect(options.map(({ textContent }) => textContent)).toEqual([
    'Line',
    'Cumulative line',
    'Area',
    'Stacked bars',
    'Grouped bars',
    'Bar (total)',
    'World map',
    'Number',
    'Gauge',
    'Pie',
    'Table',
    'Calendar heatmap',
    'Box plot',
  ])
  expect(onChange.mock.calls).toMatchObject([
    [{ source: { trendsFilter: { display: 'CalendarHeatmap', formula: 'A' } } }],
  ])
})

it('shows a map as a map', async () => {
  await renderInApp(<Toolbar node={nodeWith('WorldMap')} onChange={() => undefined} />)

  expect((await field()).value).toBe('World map')
})
