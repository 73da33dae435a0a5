import { describe, expect, it } from 'vitest'
import { chartOf, trend, trendsQuery } from '../../../test/support/data/results.ts'
import { paler, paletteOf } from '../palette.ts'
import { loadDrawings, toOption, toPointedOption } from './to-option.ts'

await loadDrawings()

const frame = { scheme: 'light', animation: false, width: 640, height: 340 } as const
const light = paletteOf('light')

interface Drawn {
  readonly name?: string
  readonly type: string
  readonly stack?: string
  readonly data: readonly unknown[]
  readonly lineStyle?: { readonly type: string }
  readonly itemStyle: { readonly color: string }
}

const seriesOf = (name: string): Drawn[] =>
  toOption(chartOf(name), frame).series as unknown as Drawn[]

describe('toOption', () => {
  it.each([
    ['trends-line', 'line', undefined],
    ['trends-cumulative', 'line', undefined],
    ['trends-area', 'line', 'current'],
    ['trends-bar', 'bar', 'current'],
    ['trends-stacked-bar', 'bar', 'current'],
    ['trends-unstacked-bar', 'bar', undefined],
    ['trends-bar-value', 'bar', undefined],
    ['trends-world-map', 'map', undefined],
    ['trends-pie', 'pie', undefined],
    ['lifecycle', 'bar', 'people'],
    ['stickiness', 'bar', undefined],
    ['funnel-trend', 'line', undefined],
    ['funnel-times', 'bar', undefined],
    ['paths', 'sankey', undefined],
    ['sql-line', 'line', undefined],
    ['sql-bar', 'bar', undefined],
  ])('draws %s as %s', (name, type, stack) => {
    const [first] = seriesOf(name)

    expect(first).toMatchObject({ type })
    expect(first?.stack).toBe(stack)
  })

  it('draws boxes, and marks the current interval', () => {
    const [plot, ...others] = seriesOf('trends-box') as unknown as readonly {
      name: string
      type: string
      data: readonly { value: readonly number[]; itemStyle?: { borderType: string } }[]
    }[]

    expect(others).toEqual([])
    expect(plot).toMatchObject({ type: 'boxplot', name: 'paid' })
    expect(plot?.data[3]?.value).toEqual([])
    expect(plot?.data[4]?.value).toHaveLength(5)
    expect(plot?.data.findIndex(({ itemStyle }) => itemStyle?.borderType === 'dotted')).toBe(11)
  })

  it.each([
    ['columns by default', 'funnel', 600, 'xAxis'],
    ['columns of a breakdown', 'funnel-breakdown', 600, 'xAxis'],
    ['bars if they are chosen', 'funnel-bars', 600, 'yAxis'],
    ['bars where columns have no room', 'funnel', 300, 'yAxis'],
  ])('draws the steps of a funnel as %s', (_, name, width, axis) => {
    const option = toOption(chartOf(name), { ...frame, width, height: 320 })

    expect(option[axis as 'xAxis']).toMatchObject({ type: 'category' })
  })

  it('says below each column of a funnel how many came, what share and how fast', () => {
    const { graphic } = toOption(chartOf('funnel'), { ...frame, width: 800, height: 320 })

    const texts = (graphic as readonly { style: { text: string } }[]).map(({ style }) => style.text)
    expect(texts).toContain('2. sign_up')
    expect(texts).toContain('6,210 people')
    expect(texts).toContain('48.4% of previous step')
    expect(texts.some((text) => /^median /.test(text))).toBe(true)
  })

  it('draws the previous period in the same color, paler and dashed', () => {
    const [current, previous] = seriesOf('trends-compare')

    expect(current?.lineStyle?.type).toBe('solid')
    expect(previous?.lineStyle?.type).toBe('dashed')
    expect(current?.itemStyle.color).toBe(light.series[0])
    expect(previous?.itemStyle.color).toBe(paler(light, light.series[0] as string))
  })

  it('marks the current interval', () => {
    const result = [trend('a', [3, 2, 1], { unfinished: true })]
    const drawn = (display?: string) =>
      toOption({ title: '', query: trendsQuery(display), result }, frame).series

    expect(drawn()).toMatchObject([
      { name: 'a', data: [3, 2, null], lineStyle: { type: 'solid' } },
      { name: 'a', data: [null, 2, 1], lineStyle: { type: 'dotted' } },
    ])
    expect(drawn('ActionsBar')).toMatchObject([
      { data: [3, 2, { value: 1, itemStyle: { decal: { color: '#ffffff' } } }] },
    ])
    expect(drawn('ActionsAreaGraph')).toMatchObject([
      { name: 'a', data: [3, 2, 1] },
      { name: 'a', data: [null, 2, 1], silent: true, lineStyle: { width: 0 } },
    ])
  })

  it('names intervals in full for tooltips', () => {
    const days = ['2026-11-16', '2026-11-17']
    const headings = (interval: string) => {
      const query = { ...trendsQuery(), interval }
      const result = [trend('a', [3, 2], { days, unfinished: true })]
      return toPointedOption({ title: '', query, result }, frame).headings
    }

    expect(headings('day')).toEqual(['Mon 16 Nov', 'Tue 17 Nov, so far'])
    expect(headings('week')).toEqual(['week of 16 Nov', 'week of 17 Nov, so far'])
  })

  it('uses different colors of the palette', () => {
    const colors = seriesOf('trends-line').map(({ itemStyle }) => itemStyle.color)

    expect(new Set(colors).size).toBe(3)
    expect(light.series).toEqual(expect.arrayContaining(colors))
  })

  it('draws dormant people below zero', () => {
    const dormant = seriesOf('lifecycle').find(({ name }) => name === 'Dormant')

    expect(Math.max(...((dormant?.data.slice(0, -1) ?? [1]) as number[]))).toBeLessThan(0)
  })

  it('makes duplicate series names unique', () => {
    const result = [trend('same', [1, 2]), trend('same', [3, 4])]
    const { series } = toOption({ title: '', query: trendsQuery(), result }, frame)

    expect((series as unknown as Drawn[]).map(({ name }) => name)).toEqual(['same', 'same (2)'])
  })

  it('omits links that form a cycle, on which ECharts would throw', () => {
    const link = (source: string, target: string) => ({ source, target, value: 1 })
    const result = [link('1_/a', '2_/b'), link('2_/b', '1_/a'), link('2_/b', '2_/b')]
    const option = toOption({ title: '', query: { kind: 'PathsQuery' }, result }, frame)

    const [sankey] = option.series as unknown as { links: unknown[] }[]
    expect(sankey?.links).toEqual([{ source: '1_/a', target: '2_/b', value: 1 }])
  })

  it('labels each place of a path with its persons', () => {
    const link = (source: string, target: string, value: number) => ({ source, target, value })
    const result = [link('1_/a', '2_/b', 1200), link('1_/c', '2_/b', 30), link('2_/b', '3_/d', 9)]
    const option = toOption({ title: '', query: { kind: 'PathsQuery' }, result }, frame)

    const [sankey] = option.series as unknown as {
      label: { formatter: (node: { name: string }) => string }
    }[]
    const labels = ['1_/a', '2_/b', '3_/d'].map((name) => sankey?.label.formatter({ name }))
    expect(labels).toEqual(['/a 1,200', '/b 1,230', '/d 9'])
  })

  it.each([
    ['no events', trendsQuery(), [trend('a', [0, 0])], 'No events in this range'],
    ['no series', trendsQuery(), [], 'No events in this range'],
    ['no cohort', { kind: 'RetentionQuery' }, [], 'No events in this range'],
    ['no step', { kind: 'FunnelsQuery' }, [], 'No events in this range'],
    ['no link', { kind: 'PathsQuery' }, [], 'No events in this range'],
    ['no lifecycle series', { kind: 'LifecycleQuery' }, [], 'No events in this range'],
    ['no stickiness series', { kind: 'StickinessQuery' }, [], 'No events in this range'],
    [
      'no rows',
      { kind: 'HogQLQuery' },
      { columns: ['a'], types: [], results: [], hasMore: false },
      'The query returned no rows',
    ],
    ['no result', trendsQuery(), null, 'Not computed yet'],
    ['an unknown kind', { kind: 'Else' }, [], 'This kind of query cannot be drawn'],
  ])('shows a message for %s', (_, query, result, text) => {
    const { graphic, series } = toOption({ title: '', query, result }, frame)

    expect(series).toBeUndefined()
    expect(graphic).toMatchObject([{ style: { text } }])
  })

  it('shows zero as a number', () => {
    const result = [trend('a', [], { aggregated_value: 0 })]
    const { graphic } = toOption({ title: '', query: trendsQuery('BoldNumber'), result }, frame)

    expect(graphic).toMatchObject([{ style: { text: '0' } }, {}])
  })
})
