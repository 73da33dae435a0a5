import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInApp } from '../../test/render.tsx'
import { ChartRetention } from './retention.tsx'

const week = (start: string, label: string, counts: readonly number[]) => ({
  date: `${start}T00:00:00Z`,
  label,
  values: counts.map((count, at) => ({ count, label: `Week ${at}` })),
})

const RESULT = [
  week('2026-02-02', 'Week 0', [100, 50, 20]),
  week('2026-02-09', 'Week 1', [300, 30]),
  week('2026-02-16', 'Week 2', [0]),
]

const rowsOf = (table: HTMLElement): string[][] =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent))

it('a retention table has a mean row, and rows named by date', async () => {
  await renderInApp(<ChartRetention title="Coming back" cohorts={RESULT} />)

  expect(rowsOf(await screen.findByRole('table'))).toEqual([
    ['Cohort', 'Week 0', 'Week 1', 'Week 2'],
    ['Mean', '100%', '20%', '20%'],
    ['2 Feb100', '100%', '50%', '20%'],
    ['9 Feb300', '100%', '10%'],
    ['16 Feb0', '–'],
  ])
})
