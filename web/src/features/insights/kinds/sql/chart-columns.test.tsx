import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { pageOf } from '../../../../test/fixtures.ts'
import { openPage } from '../../../../test/render.tsx'

const ROWS = {
  columns: ['week', 'browser', 'count()'],
  results: [
    ['2026-03-02', 'Chrome', 30],
    ['2026-03-02', 'Safari', 90],
  ],
  is_cached: false,
  last_refresh: '2026-01-05T10:00:00.000Z',
}

const QUERY = 'POST /api/projects/1/query'

const nodeOf = (display: string) => ({
  kind: 'DataVisualizationNode',
  source: { kind: 'HogQLQuery', query: 'select 1' },
  display,
})

const open = (display: string) => {
  const text = Buffer.from(JSON.stringify(nodeOf(display))).toString('base64url')
  return openPage(`/project/1/insights/new?q=${text}`, {
    [QUERY]: ROWS,
    'GET /api/projects/1/event_definitions': pageOf(),
    'GET /api/projects/1/property_definitions': pageOf(),
    'GET /api/environments/1/dashboards': pageOf(),
  })
}

const field = (name: string) => screen.getByRole('combobox', { name }) as HTMLInputElement

it('the columns of an SQL chart are guessed, and can be changed', async () => {
  const { user, server } = await open('ActionsLineGraph')

  await screen.findByRole('combobox', { name: 'Series' })
  expect([field('X axis').value, field('Series').value]).toEqual(['week', 'browser'])
  expect((await screen.findAllByText('count()')).length).toBeGreaterThan(0)

  await user.click(field('Series'))
  await user.click(screen.getByRole('option', { name: 'None' }))
  await user.click(field('X axis'))
  await user.click(screen.getByRole('option', { name: 'browser' }))

  await waitFor(() =>
    expect(server.bodiesOf(QUERY).at(-1)).toMatchObject({
      query: {
        ...nodeOf('ActionsLineGraph'),
        chartSettings: { xAxis: { column: 'browser' }, seriesBreakdownColumn: null },
      },
    }),
  )
})

it('a table of SQL has no columns to choose', async () => {
  await open('ActionsTable')

  await screen.findByText('Computed')
  expect(screen.queryByRole('combobox', { name: 'X axis' })).toBeNull()
})
