import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { QueryNode } from '#model/query-kinds/index.ts'
import { trends } from '#model/query-kinds/trends.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { DisplaySection } from './display-section.tsx'

type TrendsFilter = typeof trends.newQuery.trendsFilter

const nodeWith = (trendsFilter: TrendsFilter): QueryNode => ({
  kind: 'InsightVizNode',
  source: { ...trends.newQuery, trendsFilter },
})

const RESULT = ['Chrome', 'Firefox'].map((breakdown_value) => ({
  label: breakdown_value,
  breakdown_value,
  data: [1],
  days: ['2026-03-01'],
  action: { order: 0 },
}))

async function open(trendsFilter: TrendsFilter) {
  const onChange = vi.fn()
  const { user } = await renderInApp(
    <DisplaySection
      node={nodeWith(trendsFilter)}
      shown={{ results: RESULT }}
      onChange={onChange}
    />,
  )
  await user.click(await screen.findByRole('button', { name: 'Display', expanded: false }))
  return { user, changed: () => onChange.mock.calls.at(-1)?.[0].source.trendsFilter }
}

it('stores the format of numbers beside the other settings', async () => {
  const { user, changed } = await open({ formula: 'A' })

  await user.click(screen.getByRole('combobox', { name: 'Format' }))
  await user.click(await screen.findByRole('option', { name: 'Currency' }))

  expect(changed()).toEqual({ formula: 'A', aggregationAxisFormat: 'currency' })
})

it('asks for a currency only where it is shown', async () => {
  const { user, changed } = await open({ aggregationAxisFormat: 'currency' })

  await user.type(screen.getByRole('textbox', { name: 'Currency' }), 'e')

  expect(changed()).toMatchObject({ aggregationAxisCurrency: 'E' })
})

it('removes decimals when the field is emptied', async () => {
  const { user, changed } = await open({ decimalPlaces: 3 })

  await user.clear(screen.getByRole('textbox', { name: 'Max. decimals' }))

  expect(changed()).toMatchObject({ decimalPlaces: null })
})

it('says which direction of a number is good', async () => {
  const { user, changed } = await open({ display: 'BoldNumber' })

  await user.click(screen.getByRole('switch', { name: 'Lower is better' }))

  expect(changed()).toEqual({ display: 'BoldNumber', lowerIsBetter: true })
})

it('adds a goal line, and removes it', async () => {
  const { user, changed } = await open({ goalLines: [{ label: 'Target', value: 5 }] })

  await user.click(screen.getByRole('button', { name: 'Add goal line' }))
  expect(changed().goalLines).toEqual([
    { label: 'Target', value: 5 },
    { label: 'Goal', value: 0 },
  ])

  await user.click(screen.getByRole('button', { name: 'Remove goal 1' }))
  expect(changed().goalLines).toEqual([])
})

it('stores the language of numbers and the shape of a pie', async () => {
  const { user, changed } = await open({ display: 'ActionsPie' })

  await user.click(screen.getByRole('combobox', { name: 'Written as in' }))
  await user.click(await screen.findByRole('option', { name: 'German: 123.456,7' }))
  expect(changed()).toMatchObject({ numberLocale: 'de' })

  await user.click(screen.getByRole('combobox', { name: 'Shape' }))
  await user.click(await screen.findByRole('option', { name: 'Full circle' }))
  expect(changed()).toMatchObject({ pieShape: 'full' })
})

it('adds a rule that colors numbers, changes it, and removes it', async () => {
  const RULE = { operator: 'lt', value: 5, color: 'red' } as const
  const { user, changed } = await open({ display: 'BoldNumber', colorRules: [RULE] })

  await user.click(screen.getByRole('button', { name: 'Add color rule' }))
  expect(changed().colorRules).toEqual([RULE, { operator: 'gt', value: 0, color: 'green' }])

  await user.click(screen.getByRole('button', { name: 'Color of rule 1' }))
  await user.click(await screen.findByRole('button', { name: 'Blue' }))
  expect(changed().colorRules).toEqual([{ ...RULE, color: 'blue' }])

  await user.click(screen.getByRole('combobox', { name: 'Condition of rule 1' }))
  await user.click(await screen.findByRole('option', { name: 'between' }))
  expect(changed().colorRules).toEqual([{ ...RULE, operator: 'between', to: 5 }])

  await user.click(screen.getByRole('button', { name: 'Remove rule 1' }))
  expect(changed().colorRules).toEqual([])
})

it('offers rules for the values on a chart only while they are shown', async () => {
  await open({ display: 'ActionsLineGraph' })

  expect(screen.queryByRole('button', { name: 'Add color rule' })).toBeNull()
})

it('colors one column of an SQL table, in the node around the query', async () => {
  const onChange = vi.fn()
  const node: QueryNode = {
    kind: 'DataVisualizationNode',
    source: { kind: 'HogQLQuery', query: 'select 1' } as QueryNode['source'],
    chartSettings: { colorRules: [{ operator: 'lt', value: 5, color: 'red' }] },
  }
  const shown = { columns: ['plan', 'people', 'mrr'], results: [['pro', 3, 90]] }
  const { user } = await renderInApp(
    <DisplaySection node={node} shown={shown} onChange={onChange} />,
  )
  await user.click(await screen.findByRole('button', { name: 'Display' }))

  await user.click(screen.getByRole('combobox', { name: 'Column of rule 1' }))
  expect(screen.queryByRole('option', { name: 'plan' })).toBeNull()
  await user.click(screen.getByRole('option', { name: 'mrr' }))

  const colorRules = [{ operator: 'lt', value: 5, color: 'red', column: 'mrr' }]
  expect(onChange.mock.lastCall?.[0]).toEqual({ ...node, chartSettings: { colorRules } })
})

it('stores the color of a series by its value, and hides it', async () => {
  const { user, changed } = await open({})

  await user.click(screen.getByRole('button', { name: 'Color of Firefox' }))
  await user.click(await screen.findByRole('button', { name: 'Color 3' }))
  const key = '{"series":0,"breakdown_value":["Firefox"]}'
  expect(changed().resultCustomizations).toEqual({
    [key]: { assignmentBy: 'value', color: 'preset-3' },
  })

  await user.click(screen.getByRole('button', { name: 'Hide Firefox' }))
  expect(changed().resultCustomizations).toEqual({
    [key]: { assignmentBy: 'value', hidden: true },
  })
})

it.each([
  [
    'ActionsLineGraph',
    ['Logarithmic scale', 'Moving average'],
    ['Stack to 100%', 'Lower is better'],
  ],
  ['ActionsBar', ['Stack to 100%', 'Show values'], ['Moving average', 'Logarithmic scale']],
  ['BoldNumber', ['Lower is better'], ['Show values', 'Logarithmic scale']],
] as const)('offers what %s can show', async (display, offered, others) => {
  await open({ display })

  for (const name of offered) expect(screen.getByRole('switch', { name })).toBeTruthy()
  for (const name of others) expect(screen.queryByRole('switch', { name })).toBeNull()
})

it('offers the table below a chart over time, and the cells of a table', async () => {
  const { user, changed } = await open({ showDetailedResults: true })

  await user.click(screen.getByRole('combobox', { name: 'Last column' }))
  await user.click(await screen.findByRole('option', { name: 'Median' }))

  expect(changed()).toMatchObject({ detailedResultsAggregationType: 'median' })
  expect(screen.queryByRole('combobox', { name: 'Numbers on' })).toBeNull()
})
