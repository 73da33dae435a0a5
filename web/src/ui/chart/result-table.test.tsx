import { screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ColorRule } from '#model/color-rules.ts'
import { renderInApp } from '../../test/render.tsx'
import { ResultTable } from './result-table.tsx'

const ROWS = [
  ['b', 2],
  ['a', 10],
  ['c', null],
]

const shown = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent)

it('sorts by a column, the other way round, and not at all', async () => {
  const onCell = vi.fn(() => undefined)
  const { user } = await renderInApp(
    <ResultTable title="T" columns={['name', 'value']} rows={ROWS} onCell={onCell} />,
  )
  const header = await screen.findByRole('columnheader', { name: 'value' })

  await user.click(within(header).getByRole('button'))
  expect([shown(), header.getAttribute('aria-sort')]).toEqual([['a', 'b', 'c'], 'descending'])
  // a cell keeps its place in the result
  expect(onCell.mock.calls.slice(-6)[0]).toEqual([1, 0])

  await user.click(within(header).getByRole('button'))
  expect([shown(), header.getAttribute('aria-sort')]).toEqual([['b', 'a', 'c'], 'ascending'])

  await user.click(within(header).getByRole('button'))
  expect([shown(), header.getAttribute('aria-sort')]).toEqual([['b', 'a', 'c'], null])

  await user.click(screen.getByRole('button', { name: 'name' }))
  expect(shown()).toEqual(['a', 'b', 'c'])
})

it('shows totals below the rows, and bars behind numbers', async () => {
  await renderInApp(
    <ResultTable
      title="T"
      columns={['name', 'value']}
      rows={ROWS}
      total={['Total', 12]}
      cells="bars"
    />,
  )

  expect((await screen.findByRole('cell', { name: '12' })).closest('tfoot')).not.toBeNull()
  expect(screen.getByRole('cell', { name: '2' }).style.background).toContain('20%')
  expect(screen.getByRole('cell', { name: 'a' }).style.background).toBe('')
})

it('colors the numbers that meet a rule', async () => {
  const rules: ColorRule[] = [{ operator: 'gt', value: 5, color: 'red' }]
  await renderInApp(<ResultTable title="T" columns={['name', 'value']} rows={ROWS} rules={rules} />)

  expect((await screen.findByRole('cell', { name: '10' })).style.background).not.toBe('')
  expect(screen.getByRole('cell', { name: '2' }).style.background).toBe('')
})
