import { describe, expect, it } from 'vitest'
import { chartOf, trend, trendsQuery } from '../../../test/support/data/results.ts'
import type { ColorRule } from '../color-rules.ts'
import type { DisplaySettings } from '../display-settings.ts'
import { paletteOf } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { loadDrawings, toPointedOption } from './to-option.ts'

await loadDrawings()

const frame = { scheme: 'light', animation: false, width: 640, height: 340 } as const
const light = paletteOf('light')

function draw(settings: DisplaySettings, result: TrendSeries[], display = 'ActionsLineGraph') {
  const query = { ...trendsQuery(), trendsFilter: { display, ...settings } }
  const pointed = toPointedOption({ title: '', query, result }, frame)
  return { ...pointed, option: pointed.option as unknown as Option }
}

interface Option extends Readonly<Record<string, unknown>> {
  readonly series: readonly Drawn[]
}

interface Drawn {
  readonly name?: string
  readonly data: readonly unknown[]
  readonly itemStyle: { readonly color: string }
}

interface Label {
  readonly rich: object
  formatter(mark: { readonly value: number; readonly dataIndex: number }): string
}

const named = (...names: string[]) =>
  names.map((name, at) => trend(name, [1 + at, 3], { breakdown_value: name }))

describe('display settings', () => {
  it('draw goals from side to side, with their labels', () => {
    const goalLines = [
      { label: 'Target', value: 9 },
      { label: 'Silent', value: 5, displayLabel: false },
    ]
    const { option } = draw({ goalLines }, [trend('a', [1, 2])], 'ActionsBar')

    expect(option.xAxis).toMatchObject([{ type: 'category' }, { min: 0, max: 1, show: false }])
    expect(option.series.slice(1)).toMatchObject([
      {
        xAxisIndex: 1,
        silent: true,
        data: [
          [0, 9],
          [1, 9],
        ],
        endLabel: { show: true },
      },
      { endLabel: { show: false } },
    ])
  })

  it('draw a pie as a full circle, without the total inside', () => {
    const radiiOf = (pieShape: DisplaySettings['pieShape']) => {
      const { series, graphic } = draw({ pieShape }, named('a', 'b'), 'ActionsPie').option
      return [(series[0] as unknown as { radius: number[] }).radius[0], graphic]
    }

    expect(radiiOf('full')).toEqual([0, []])
    expect(radiiOf('ring')).not.toEqual([0, []])
  })

  it('write shares, changes and stacks in the language of the numbers', () => {
    const numberLocale = 'fr'
    const two = [trend('a', [1, 3]), trend('b', [7, 5], { breakdown_value: 'b' })]
    const { notes, format } = draw({ numberLocale }, two)
    const stack = draw({ numberLocale, showPercentStackView: true }, two, 'ActionsBar')

    expect(notes?.find('b', 0)?.note).toBe('87,5\u00a0%')
    expect(format?.full(1.5)).toBe('1,5')
    expect(stack.format?.full(12.5)).toBe('12,5\u00a0%')
  })

  it.each(['BoldNumber', 'Gauge'])('color a number by rules: %s', (display) => {
    const colorRules: ColorRule[] = [{ operator: 'between', value: 5, to: 9, color: 'red' }]
    const inksOf = (value: number) => {
      const one = trend('a', [1], { aggregated_value: value })
      const { graphic } = draw({ colorRules }, [one], display).option
      return (graphic as { style: { fill?: string; fontWeight?: number } }[]).flatMap(
        ({ style }) => (style.fontWeight === 600 ? [style.fill] : []),
      )
    }

    expect([inksOf(5), inksOf(10)]).toEqual([[light.red], [light.text]])
  })

  it.each(['ActionsLineGraph', 'ActionsBarValue'])('color value labels by rules: %s', (display) => {
    const settings: DisplaySettings = {
      colorRules: [{ operator: 'gte', value: 2, color: 'green' }],
      showValuesOnSeries: true,
      aggregationAxisPostfix: ' {x|y}',
    }
    const { option } = draw(settings, [trend('a', [1, 2], { aggregated_value: 3 })], display)
    const { label } = option.series[0] as unknown as { label: Label }

    expect(label.rich).toEqual({ green: { color: light.green } })
    expect(label.formatter({ value: 2, dataIndex: 0 })).toBe('{green|2  x y }')
    expect(label.formatter({ value: 1, dataIndex: 0 })).toBe('1 {x|y}')
  })

  it('leave out a goal that was reached if it says so', () => {
    const goal = { label: 'Target', value: 2, displayIfCrossed: false }

    expect(draw({ goalLines: [goal] }, [trend('a', [1, 2])]).option.series).toHaveLength(1)
    expect(draw({ goalLines: [goal] }, [trend('a', [1, 1])]).option.series).toHaveLength(2)
  })

  it('draw a logarithmic axis without zeros, but not below a stack', () => {
    const settings = { yAxisScaleType: 'log10' } as const
    const { option } = draw(settings, [trend('a', [0, 10])])

    expect(option.yAxis).toMatchObject({ type: 'log' })
    expect(option.series).toMatchObject([{ data: [null, 10] }])
    expect(draw(settings, [trend('a', [0, 10])], 'ActionsBar').option.yAxis).toMatchObject({
      type: 'value',
    })
  })

  it('name the axes and set their ends', () => {
    const settings = { xAxisLabel: 'Day', yAxisLabel: 'Orders', yAxisMin: 1_000_000, yAxisMax: 2e6 }
    const { option } = draw(settings, [trend('a', [1, 2])])
    const axis = option.yAxis as { axisLabel: { formatter(value: number): string } }

    expect(option.xAxis).toMatchObject({ name: 'Day' })
    expect(option.yAxis).toMatchObject({ name: 'Orders', min: 1_000_000, max: 2e6 })
    expect(option.grid).toMatchObject({ outerBoundsContain: 'all' })
    expect(axis.axisLabel.formatter(1_001_000)).toBe('1,001,000')
  })

  it('ignore a maximum below the minimum', () => {
    const { option } = draw({ yAxisMin: 5, yAxisMax: 1 }, [trend('a', [1, 2])])

    expect(option.yAxis).not.toHaveProperty('max')
  })

  it('show shares of a stack, whose bars still stand for their series', () => {
    const { option, format, findPoint } = draw(
      { showPercentStackView: true },
      [trend('a', [1, 0]), trend('b', [3, 0])],
      'ActionsBar',
    )

    expect(option.series).toMatchObject([{ data: [25, 0] }, { data: [75, 0] }])
    expect(option.yAxis).toMatchObject({ max: 100 })
    expect(format?.full(25)).toBe('25%')
    expect(findPoint?.(1, 0)).toEqual({ series: 1, index: 0 })
  })

  it('show no shares of negative values', () => {
    const { option } = draw({ showPercentStackView: true }, [trend('a', [1, -2])], 'ActionsBar')

    expect(option.series).toMatchObject([{ data: [1, -2] }])
  })

  it('draw a moving average once there are enough intervals, as a part of its series', () => {
    const settings = { showMovingAverage: true, movingAverageIntervals: 2 }
    const { option, findPoint } = draw(settings, [trend('a', [1, 3, 5])])

    expect(option.series).toMatchObject([{}, { name: 'a', silent: true, data: [null, 2, 4] }])
    expect(findPoint?.(1, 2)).toEqual({ series: 0, index: 2 })
  })

  it('write values where they fit', () => {
    const labels = (count: number, display: string) => {
      const result = [trend('a', Array(count).fill(1234)), trend('b', Array(count).fill(1234))]
      const [first] = draw({ showValuesOnSeries: true }, result, display).option.series
      const { label } = first as { label?: { formatter(of: object): string } }
      return label && [0, 1].map((dataIndex) => label.formatter({ value: 1234, dataIndex }))
    }

    expect(labels(4, 'ActionsLineGraph')).toEqual(['1.23k', '1.23k'])
    expect(labels(30, 'ActionsLineGraph')).toEqual(['1.23k', ''])
    expect(labels(4, 'ActionsUnstackedBar')).toEqual(['1.23k', '1.23k'])
    expect(labels(30, 'ActionsUnstackedBar')).toBeUndefined()
  })

  it.each([
    [{}, named('a'), false],
    [{}, named('a', 'b'), true],
    [{ showLegend: true }, named('a'), true],
    [{ showLegend: false }, named('a', 'b'), false],
  ])('%j decide about the legend', (settings, result, show) => {
    expect(draw(settings, result).option.legend).toMatchObject({ show })
  })

  it('hide series until someone shows them, without a legend too', () => {
    const key = '{"series":0,"breakdown_value":["b"]}'
    const resultCustomizations = { [key]: { hidden: true } }
    const selected = { a: false, b: false }
    const settings = { hiddenLegendIndexes: [0], resultCustomizations }

    expect(draw(settings, named('a', 'b')).option.legend).toMatchObject({ selected })
    const { option } = draw({ ...settings, showLegend: false }, named('a', 'b'))
    expect(option.legend).toMatchObject({ show: false, data: ['a', 'b'], selected })
  })

  it.each([
    ['smooth', { smooth: 0.35 }],
    ['step', { step: 'middle' }],
  ] as const)('draw %s lines', (lineShape, expected) => {
    expect(draw({ lineShape }, [trend('a', [1, 2])]).option.series).toMatchObject([expected])
  })
})

describe('the color of a series', () => {
  const colorsOf = (result: TrendSeries[], settings: DisplaySettings = {}) =>
    new Map(
      draw(settings, result).option.series.map(({ name, itemStyle }) => [name, itemStyle.color]),
    )

  it('stays with its name, whatever its place and company', () => {
    const one = colorsOf(named('Chrome', 'Firefox', 'Safari'))
    const other = colorsOf(named('Safari', 'Chrome'))

    expect(other.get('Chrome')).toBe(one.get('Chrome'))
    expect(other.get('Safari')).toBe(one.get('Safari'))
  })

  it('differs from those of the others as long as there are colors', () => {
    const names = Array.from({ length: 8 }, (_, at) => `value ${at}`)

    expect(new Set(colorsOf(named(...names)).values()).size).toBe(8)
  })

  it('is the same in a pie', () => {
    const result = chartOf('trends-breakdown').result as TrendSeries[]
    const lines = colorsOf(result)
    const [pie] = draw({}, result, 'ActionsPie').option.series
    const parts = pie?.data as (Drawn & { name: string })[]

    for (const { name, itemStyle } of parts) expect(itemStyle.color).toBe(lines.get(name))
  })

  it('is the chosen one, by value, by position and for both periods', () => {
    const both = ['current', 'previous'].map((compare_label) =>
      trend('a', [1, 2], { compare_label: compare_label as 'current', breakdown_value: 'a' }),
    )
    const chosen = { color: 'preset-4' }
    const key = '{"series":0,"breakdown_value":["a"]}'

    expect(colorsOf(both, { resultCustomizations: { [key]: chosen } }).get('a')).toBe(
      light.series[3],
    )
    const byPosition = { resultCustomizationBy: 'position', resultCustomizations: { 1: chosen } }
    expect(colorsOf(named('a', 'b'), byPosition as DisplaySettings).get('b')).toBe(light.series[3])
    const ofPeriod = `${key.slice(0, -1)},"compare_label":"current"}`
    expect(colorsOf(both, { resultCustomizations: { [ofPeriod]: chosen } }).get('a')).toBe(
      light.series[3],
    )
  })
})
