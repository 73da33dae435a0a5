import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInApp } from '../../test/render.tsx'
import { ChartRetention } from './retention.tsx'

const week = (start: string, label: string, counts: readonly number[]) => ({
  date: `${start}T00:00:00Z`,
  label,
  values: counts.map((count, at) => ({ count, label: `Week ${at}` })),
})

/** Marks the last value of each cohort as that of the current week. */
const unfinished = (cohorts: readonly ReturnType<typeof week>[]) =>
  cohorts.map((cohort) => ({
    ...cohort,
    values: cohort.values.map((value, at) =>
      at === cohort.values.length - 1 ? { ...value, unfinished: true as const } : value,
    ),
  }))

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

it('a retention table marks the current week, which counts in no mean', async () => {
  await renderInApp(<ChartRetention title="Coming back" cohorts={unfinished(RESULT)} />)

  const table = await screen.findByRole('table')

  expect(rowsOf(table)[1]).toEqual(['Mean', '100%', '50%', '–'])
  const marked = [...table.querySelectorAll<HTMLElement>('td[data-unfinished]')]
  expect(marked.map(({ title }) => title)).toEqual(['20 of 100 so far', '30 of 300 so far'])
})
