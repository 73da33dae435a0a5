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

it.each([
  [
    'its value and its share',
    0,
    { value: 90, data: { share: '90%' } },
    'Germany90%90Click to view persons',
  ],
  ['no more than its name without a value', 5, { value: Number.NaN }, 'Germany'],
])('the tooltip of a country shows %s', (_, dataIndex, more, expected) => {
  const result = [trend('a', [], { breakdown_value: 'DE', aggregated_value: 90 })]
  const chart = { title: 'T', query: trendsQuery('WorldMap'), result }
  const look = { scheme: 'light', animation: false, width: 390, height: 340 } as const
  const { option } = toPointedOption(chart, look)
  const { formatter } = toTooltip(option, chart, { scheme: 'light', isClickable: true })
  const point = { dataIndex, name: 'Germany', componentType: 'series', ...more }

  // biome-ignore lint/suspicious/noExplicitAny: ECharts passes more than the tooltip reads
  const box = (formatter as any)(point) as HTMLElement

  expect(box.textContent).toBe(expected)
})

it('the tooltip of shares shows the values, their shares and their changes', () => {
  const result = [
    trend('a', [10, 30], { days: DAYS, breakdown_value: 'a' }),
    trend('b', [10, 10], { days: DAYS, breakdown_value: 'b' }),
  ]
  const query = {
    ...trendsQuery(),
    trendsFilter: { display: 'ActionsBar', showPercentStackView: true },
  }
  const chart = { title: 'T', query, result }
  const frame = { scheme: 'light', animation: false, width: 390, height: 340 } as const
  const { option, notes } = toPointedOption(chart, frame)
  const { formatter } = toTooltip(option, chart, { scheme: 'light', notes })
  const points = [
    { dataIndex: 1, seriesName: 'a', value: 75 },
    { dataIndex: 1, seriesName: 'b', value: 25 },
  ]

  // biome-ignore lint/suspicious/noExplicitAny: ECharts passes more than the tooltip reads
  const box = (formatter as any)(points) as HTMLElement

  expect(box.textContent).toContain('a3075% · +200%')
  expect(box.textContent).toContain('Share of the total')
})

it('the tooltip of a person shows the ID below the name', () => {
  const id = '0190a5c1-77aa-7000-8000-0000003f9a2c'
  const result = [
    trend(id, [3, 4], { days: DAYS, breakdown_value: id, breakdown_name: 'Visitor 3f9a2c' }),
    trend('b', [1, 1], { days: DAYS, breakdown_value: 'b' }),
  ]
  const chart = { title: 'T', query: trendsQuery('ActionsLineGraph'), result }
  const look = { scheme: 'light', animation: false, width: 390, height: 340 } as const
  const { formatter } = toTooltip(toPointedOption(chart, look).option, chart, { scheme: 'light' })
  const points = ['Visitor 3f9a2c', 'b'].map((seriesName) => ({ seriesName, value: 4 }))

  // biome-ignore lint/suspicious/noExplicitAny: ECharts passes more than the tooltip reads
  const box = (formatter as any)(points) as HTMLElement

  expect(box.textContent).toBe(`Visitor 3f9a2c4${id}b4`)
})
