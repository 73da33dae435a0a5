import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInApp } from '../../../test/render.tsx'
import { DataTable } from './data-table.tsx'

const cohort = (date: string) => ({ date, label: 'Day 0', values: [{ count: 7, label: 'Day 0' }] })

const shownDates = async (...dates: readonly string[]) => {
  const chart = { title: 'Visits', query: { kind: 'RetentionQuery' }, result: dates.map(cohort) }
  await renderInApp(<DataTable chart={chart} onPoint={() => {}} />)
  const [, ...rows] = await screen.findAllByRole('row')
  return rows.map((row) => row.firstElementChild?.textContent)
}

it.each([
  [
    'days without a time',
    ['2026-02-02T00:00:00Z', '2026-02-03T00:00:00Z'],
    ['2026-02-02', '2026-02-03'],
  ],
  [
    'hours with their time',
    ['2026-02-02T00:00:00Z', '2026-02-02T01:00:00Z'],
    ['2026-02-02T00:00:00Z', '2026-02-02T01:00:00Z'],
  ],
])('the data of a chart shows %s', async (_, dates, shown) => {
  expect(await shownDates(...dates)).toEqual(shown)
})
