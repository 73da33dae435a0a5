import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
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
