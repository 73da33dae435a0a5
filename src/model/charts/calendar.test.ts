import { expect, it } from 'vitest'
import { trend, trendsQuery } from '../../../test/support/data/results.ts'
import { loadDrawings, toOption } from './to-option.ts'

await loadDrawings()

const frame = { scheme: 'light', animation: false, width: 640, height: 360 } as const

const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(first) + at * 86_400_000).toISOString().slice(0, 10),
  )

/** Draws one series, and lists the texts of a calendar or the types of other charts. */
function draw(days: readonly string[], interval = 'day', math = 'total') {
  const data = days.map((_, at) => at + 1)
  const series = trend('visit', data, { days, labels: days })
  const action = { ...series.action, math }
  const chart = {
    title: '',
    query: trendsQuery('CalendarHeatmap', { interval }),
    result: [{ ...series, action }],
  }
  const { series: drawn, graphic } = toOption(chart, frame) as unknown as {
    readonly series?: readonly { readonly type: string }[]
    readonly graphic?: readonly { readonly style: { readonly text?: string } }[]
  }
  return {
    types: [...new Set(drawn?.map(({ type }) => type))],
    texts: graphic?.flatMap(({ style }) => style.text ?? []) ?? [],
  }
}

it('draws weekdays by week', () => {
  const { types, texts } = draw(daysFrom('2026-03-04', 10))

  expect(types).toEqual([])
  expect(texts).toEqual(expect.arrayContaining(['2 Mar', '9 Mar', 'Mon', 'Sun', '1', '10']))
})

it('draws weekdays by hour, and adds up the same hour of two weeks', () => {
  const days = daysFrom('2026-03-02', 8).map((day) => `${day} 13:00:00`)

  const { texts } = draw(days, 'hour')

  expect(texts).toEqual(expect.arrayContaining(['00:00', 'Mon', '9']))
  expect(texts).not.toContain('8')
  expect(draw(days, 'hour', 'dau').types).toEqual(['line'])
})

it.each([
  ['weeks', daysFrom('2026-03-02', 3), 'week'],
  ['months', ['2026-01-01', '2026-02-01'], 'month'],
  ['more days than a year has', daysFrom('2024-01-01', 500), 'day'],
])('draws %s as a line', (_, days, interval) => {
  expect(draw(days, interval).types).toEqual(['line'])
})

it('draws a whole leap year', () => {
  expect(draw(daysFrom('2024-01-01', 366)).types).toEqual([])
})
