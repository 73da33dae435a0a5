import { expect, it } from 'vitest'
import { loadDrawings, toPointedOption } from '#model/charts/to-option.ts'
import { trend, trendsQuery } from '../../../../test/support/data/results.ts'
import { toTooltip } from './tooltip.ts'

await loadDrawings()

const DAYS = ['2026-01-01', '2026-01-02']

it.each([
  ['the whole text of its annotations', 1, true],
  ['no annotation of another day', 0, false],
])('the tooltip of a day shows %s', (_, dataIndex, isShown) => {
  const text = 'Newsletter to all customers sent'
  const result = [trend('Visits', [3, 4], { days: DAYS, labels: DAYS })]
  const marks = [{ at: '2026-01-02 10:00:00', text }]
  const chart = { title: 'T', query: trendsQuery('ActionsLineGraph'), result, marks }
  const { option } = toPointedOption(chart, {
    scheme: 'light',
    animation: false,
    width: 390,
    height: 340,
  })
  const { formatter } = toTooltip(option, chart, { scheme: 'light' })
  const point = { dataIndex, seriesName: 'Visits', value: 4, axisValueLabel: DAYS[dataIndex] }

  // biome-ignore lint/suspicious/noExplicitAny: ECharts passes more than the tooltip reads
  const box = (formatter as any)([point]) as HTMLElement

  expect(box.textContent.includes(text)).toBe(isShown)
})
