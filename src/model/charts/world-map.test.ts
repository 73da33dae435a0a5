import { describe, expect, it } from 'vitest'
import { trend, trendsQuery } from '../../../test/support/data/results.ts'
import { COUNTRY_CODES, toCountryName } from '../countries.ts'
import { NONE, OTHER } from '../format.ts'
import type { TrendSeries } from '../query-results.ts'
import { toGeoJson } from '../world/geo-json.ts'
import { SHAPES } from '../world/shapes.ts'
import { loadDrawings, toPointedOption } from './to-option.ts'
import { isDrawn } from './world-map.ts'

await loadDrawings()

const frame = { scheme: 'light', animation: false, width: 640, height: 340 } as const

interface DrawnCountry {
  readonly name: string
  readonly value: number
  readonly share?: string
  readonly itemStyle: { readonly areaColor: string }
}

const by = (values: Readonly<Record<string, number>>, math = 'total', order = 0): TrendSeries[] =>
  Object.entries(values).map(([value, number]) => ({
    ...trend('$pageview', [], { breakdown_value: value, aggregated_value: number }),
    action: { id: '$pageview', type: 'events', name: '$pageview', order, math } as never,
  }))

function draw(result: readonly TrendSeries[], height = 340) {
  const chart = { title: 'Countries', query: trendsQuery('WorldMap'), result }
  const { option, ...rest } = toPointedOption(chart, { ...frame, height })
  const [series] = option.series as unknown as [{ type: string; data: readonly DrawnCountry[] }]
  const texts = (option.graphic as { style?: { text?: string } }[]).flatMap(
    ({ style }) => style?.text ?? [],
  )
  return { series, texts, ...rest }
}

describe('a world map', () => {
  it('colors countries by their values, which may be codes or names', () => {
    const { series, summary, findPoint } = draw(by({ DE: 10, 'United States': 80, SG: 10 }))

    expect(series).toMatchObject({
      type: 'map',
      data: [
        { name: 'United States', value: 80, share: '80%' },
        { name: 'Germany', value: 10, share: '10%' },
        { name: 'Singapore', value: 10, share: '10%' },
      ],
    })
    const [most, less, least] = series.data.map(({ itemStyle }) => itemStyle.areaColor)
    expect(less).toBe(least)
    expect(most).not.toBe(less)
    expect(summary).toBe('3 values, from United States: 80 to Singapore: 10.')
    expect([0, 1, 3].map((item) => findPoint?.(0, item))).toEqual([
      { series: 1 },
      { series: 0 },
      undefined,
    ])
  })

  it('names what is not on the map, also to people who do not see it', () => {
    const { texts, summary } = draw(by({ DE: 9, FR: 8, [NONE]: 4, XX: 2, Germany: 1, [OTHER]: 1 }))

    const note = 'Not on the map: (none) 4, XX 2, Germany 1, Other 1'
    expect(texts).toContain(note)
    expect(summary).toBe(`2 values, from Germany: 9 to France: 8. ${note}.`)
  })

  it('leaves the height of a low tile to the map', () => {
    const { texts, summary } = draw(by({ DE: 9, XX: 2 }), 150)

    expect(texts).not.toContain('Not on the map: XX 2')
    expect(summary).toContain('Not on the map: XX 2')
  })

  it.each<[string, Readonly<Record<string, number>>, string[]]>([
    ['large numbers', { US: 16_000, DE: 1 }, ['1k', '4k', '9k', '16k']],
    ['small numbers', { US: 2, DE: 1 }, ['1', '2']],
  ])('has a legend of the colors of %s', (_, values, labels) => {
    expect(draw(by(values)).texts).toEqual(labels)
  })

  it('has no shares of persons, who can have several countries', () => {
    const { series } = draw(by({ DE: 10, FR: 5 }, 'dau'))

    expect(series.data.map(({ share }) => share)).toEqual([undefined, undefined])
  })

  it.each<[string, readonly TrendSeries[]]>([
    ['other values', by({ Chrome: 5, Firefox: 3, IN: 1 })],
    ['several events', [...by({ DE: 5 }, 'total', 0), ...by({ FR: 2 }, 'total', 1)]],
    ['no breakdown', [trend('a', [], { aggregated_value: 4 })]],
  ])('is bars of %s', (_, result) => {
    expect(draw(result).series.type).toBe('bar')
  })
})

describe('the shapes of the world', () => {
  it('are those of every country', () => {
    const drawn = COUNTRY_CODES.filter(isDrawn)

    expect(Object.keys(SHAPES)).toEqual(drawn)
    expect(new Set(drawn.map(toCountryName)).size).toBe(drawn.length)
  })

  it('are closed rings that do not cross the map', () => {
    const rings = toGeoJson().features.flatMap(({ geometry }) => geometry.coordinates.flat())

    for (const ring of rings) {
      expect(ring.length).toBeGreaterThanOrEqual(4)
      expect(ring[0]).toEqual(ring.at(-1))
      const steps = ring.slice(1).map(([x], at) => Math.abs(x - (ring[at]?.[0] ?? 0)))
      expect(Math.max(...steps)).toBeLessThan(400)
    }
  })
})
