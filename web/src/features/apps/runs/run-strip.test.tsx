import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { stubEventSource } from '../../../test/event-source.ts'
import { pageOf } from '../../../test/fixtures.ts'
import { config, configRoutes, run } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'

const at = (second: number) => `2026-01-05T10:00:${`${second}`.padStart(2, '0')}.000Z`

const RUNS = [
  run({ id: 'c', events: 40, new_events: 40, started_at: at(0), finished_at: at(20) }),
  run({
    id: 'b',
    state: 'failed',
    message: 'Refused',
    events: 0,
    started_at: at(0),
    finished_at: at(1),
  }),
  run({ id: 'a', events: 2, new_events: 2, started_at: at(0), finished_at: at(10) }),
]

async function open(settings: object, ...definitions: object[]) {
  stubEventSource()
  return openPage('/project/1/apps/1?tab=runs', {
    ...configRoutes([config({ config: JSON.stringify(settings) })], ...RUNS),
    'GET /api/projects/1/event_definitions': pageOf(...definitions),
  })
}

it('shows the last runs as a strip, the newest last', async () => {
  await open({})

  const bars = within(await screen.findByRole('list', { name: 'Last runs' })).getAllByRole(
    'listitem',
  )

  expect(bars).toHaveLength(3)
  expect(bars[1]?.textContent).toMatch(/^Failed .*1\.0 s, Refused$/)
  expect(bars[2]?.textContent).toMatch(/^Succeeded .*20\.0 s, 40 read, 40 new$/)
  expect(
    screen.getByText('3 runs: 2 succeeded, 1 failed, 42 events, 10.0 s at the median'),
  ).toBeTruthy()
})

it('leads from the last run to its events and to a chart of them', async () => {
  await open({ event: 'sale' }, { id: 'x', name: 'sale' })

  const events = await screen.findByRole('link', { name: 'See the events' })
  const chart = screen.getByRole('link', { name: 'Make a chart' })

  expect(screen.getAllByRole('link', { name: 'See the events' })).toHaveLength(1)
  await expect.poll(() => events.getAttribute('href')).toBe('/project/1/events?event=sale')
  const q = new URLSearchParams(chart.getAttribute('href')?.split('?')[1]).get('q') ?? ''
  expect(JSON.parse(Buffer.from(q, 'base64url').toString())).toMatchObject({
    kind: 'TrendsQuery',
    series: [{ event: 'sale' }],
  })
})

it('leads to all events if the setting names a column', async () => {
  await open({ event: 'kind' })

  const events = await screen.findByRole('link', { name: 'See the events' })

  expect(events.getAttribute('href')).toBe('/project/1/events')
})
