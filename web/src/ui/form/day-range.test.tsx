import { screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { PROJECT, pageOf } from '../../test/fixtures.ts'
import { renderInApp } from '../../test/render.tsx'
import { DayRange } from './day-range.tsx'

it.each([
  ['Sunday', 0, 'Su'],
  ['Monday', 1, 'Mo'],
] as const)('starts the week on %s if the project does', async (_, week_start_day, first) => {
  const routes = { 'GET /api/projects': pageOf({ ...PROJECT, week_start_day }) }

  await renderInApp(<DayRange from={null} to={null} onChange={() => undefined} />, { routes })

  const days = await screen.findAllByText(/^(Mo|Tu|We|Th|Fr|Sa|Su)$/)
  expect(days[0]?.textContent).toBe(first)
})

it('marks today in the zone of the project, and offers no later day', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-10T22:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const routes = { 'GET /api/projects': pageOf({ ...PROJECT, timezone: 'Asia/Tokyo' }) }

  await renderInApp(<DayRange from="2026-03-01" to="2026-03-02" onChange={() => undefined} />, {
    routes,
  })

  const dayOf = (name: string) =>
    screen.findByRole('button', { name }) as Promise<HTMLButtonElement>
  await waitFor(async () => expect((await dayOf('11 March 2026')).disabled).toBe(false))
  expect((await dayOf('12 March 2026')).disabled).toBe(true)
})
