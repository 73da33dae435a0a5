import { describe, expect, it } from 'vitest'
import { trend, trendsQuery } from '../../../test/support/data/results.ts'
import type { ChartMark } from '../chart.ts'
import { loadDrawings, toPointedOption } from './to-option.ts'

await loadDrawings()

const FRAME = { scheme: 'light', animation: false, width: 640, height: 340 } as const

interface Axis {
  readonly data: readonly string[]
  readonly splitLine?: { interval(at: number): boolean }
}

function draw(days: string[], marks: ChartMark[], display = 'ActionsLineGraph') {
  const series = trend(
    'T',
    days.map(() => 1),
    { days, labels: days },
  )
  const chart = { title: 'T', query: trendsQuery(display), result: [series], marks }
  const { option, summary } = toPointedOption(chart, FRAME)
  const [, axis] = [option.xAxis].flat() as (Axis | undefined)[]
  return { texts: axis?.data, axis, summary }
}

const mark = (at: string, text = at): ChartMark => ({ at, text })
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03']

describe('marks on a time axis', () => {
  it.each(['ActionsLineGraph', 'ActionsBar', 'ActionsAreaGraph'])(
    'are drawn at their interval of %s',
    (display) => {
      const marks = [mark('2026-01-02 23:59:59', 'Launch'), mark('2026-01-02 00:00:00', 'Mail')]

      const { texts, axis, summary } = draw(DAYS, marks, display)

      expect(texts).toEqual(['', 'Launch, Mail', ''])
      expect([0, 1, 2].map((at) => axis?.splitLine?.interval(at))).toEqual([false, true, false])
      expect(summary).toMatch(/ Annotations: Launch, Mail\.$/)
    },
  )

  it('do not repeat the title of the axis', () => {
    const query = { ...trendsQuery(), trendsFilter: { xAxisLabel: 'Day' } }
    const result = [trend('T', [1, 1, 1], { days: DAYS, labels: DAYS })]
    const marks = [mark('2026-01-02 00:00:00')]

    const { option } = toPointedOption({ title: 'T', query, result, marks }, FRAME)

    expect([option.xAxis].flat()).toMatchObject([{ name: 'Day' }, { name: '' }])
  })

  it('belong to the week, month or hour that they are in', () => {
    const weeks = ['2026-01-04', '2026-01-11']
    const hours = ['2026-01-01 10:00:00', '2026-01-01 11:00:00']

    expect(draw(weeks, [mark('2026-01-17 12:00:00', 'A')]).texts).toEqual(['', 'A'])
    expect(draw(hours, [mark('2026-01-01 10:59:00', 'A')]).texts).toEqual(['A', ''])
    expect(draw(['2026-01-01'], [mark('2026-01-01 10:59:00', 'A')]).texts).toEqual(['A'])
  })

  it.each([
    ['before the first interval', DAYS, '2025-12-31 23:59:59'],
    ['after the last interval', DAYS, '2026-01-04 00:00:00'],
    ['on an axis without days', ['a', 'b'], '2026-01-01 00:00:00'],
  ])('are left out %s', (_, days, at) => {
    expect(draw(days, [mark(at)])).toMatchObject({ texts: undefined, axis: undefined })
  })

  it('are left out of charts without a time axis', () => {
    expect(draw(DAYS, [mark('2026-01-02 10:00:00')], 'ActionsPie').texts).toBeUndefined()
  })
})
