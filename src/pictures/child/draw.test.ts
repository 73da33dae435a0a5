import { describe, expect, it } from 'vitest'
import type { Chart, Scheme } from '#model/chart.ts'
import { paletteOf } from '#model/palette.ts'
import { readPng } from '../../../test/pictures/png.ts'
import { parseXml } from '../../../test/pictures/xml.ts'
import {
  CHARTS,
  chartOf,
  funnelSteps,
  tableResult,
  trend,
  trendsQuery,
} from '../../../test/support/data/results.ts'
import { isFull } from '../../../test/support/vitest/effort.ts'
import { draw } from './draw.ts'
import { fontStyle } from './embedded-font.ts'

const LOOKS = [
  { scheme: 'light', width: 640, height: 380 },
  { scheme: 'dark', width: 640, height: 380 },
  { scheme: 'light', width: 390, height: 320 },
  { scheme: 'dark', width: 160, height: 120 },
] as const
/** The largest and the smallest in the fast check. */
const TRIED = isFull ? LOOKS : [LOOKS[0], LOOKS[3]]

async function toPicture(type: 'svg' | 'png', chart: Chart, look: object = LOOKS[0]) {
  const task = { type, chart, look: { ...LOOKS[0], ...look } }
  const drawn = await draw(task)
  if ('failure' in drawn) throw new Error(drawn.failure)
  expect(drawn.problems).toEqual([])
  return drawn.picture
}

const drawSvg = async (chart: Chart, look?: object) =>
  String(await toPicture('svg', chart, look)).replace(fontStyle(), '')
const pngOf = async (chart: Chart, look?: object) =>
  readPng((await toPicture('png', chart, look)) as Uint8Array)

/** The only elements in our SVGs. A content security policy restricts none of them. */
const ELEMENTS = [
  'svg',
  'title',
  'desc',
  'g',
  'path',
  'rect',
  'text',
  'tspan',
  'defs',
  'clipPath',
  'circle',
  'linearGradient',
  'pattern',
  'stop',
]

const expectInert = (svg: string) => {
  const elements = parseXml(svg)
  const names = new Set(elements.map(({ name }) => name))
  const attributes = elements.flatMap((element) => Object.keys(element.attributes))

  expect([...names].filter((name) => !ELEMENTS.includes(name))).toEqual([])
  expect(attributes.filter((name) => /^(on|style|class|href|xlink|ecmeta)/.test(name))).toEqual([])
  return elements
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onload='alert(1)",
  ']]></style><style>*{}',
  '&lt;b&gt;&unknown;',
  'a\u0000b\u0007c\ud800\uffff',
  '\u202etxt.exe',
  '{a|rich} {b} {c}% \\{value}',
  'مرحبا بالعالم 漢字 👩‍👩‍👧 ẅ̈',
  '__proto__',
  'constructor',
  'toString',
  'line\nbreak\r\nand\ttab',
  'x'.repeat(100_000),
  '   ',
  '',
]

const hostileCharts: Chart[] = [
  ...['ActionsLineGraph', 'ActionsBarValue', 'ActionsPie', 'ActionsTable', 'WorldMap'].map(
    (display) => ({
      title: HOSTILE[0] as string,
      query: trendsQuery(display),
      result: HOSTILE.map((label, at) =>
        trend(label, [1, 2, at], { breakdown_value: label, aggregated_value: at + 1 }),
      ),
    }),
  ),
  {
    title: HOSTILE[5] as string,
    query: { kind: 'FunnelsQuery' },
    result: funnelSteps().map((step, at) => ({ ...step, name: HOSTILE[at] })),
  },
  {
    title: HOSTILE[7] as string,
    query: { kind: 'FunnelsQuery' },
    result: HOSTILE.map((label) =>
      funnelSteps().map((step) => ({ ...step, name: label, breakdown_value: label })),
    ),
  },
  {
    title: '',
    query: { kind: 'PathsQuery' },
    result: HOSTILE.map((label) => ({ source: `1_${label}`, target: `2_${label}`, value: 3 })),
  },
  {
    title: 'x'.repeat(5000),
    query: { kind: 'HogQLQuery' },
    result: { ...tableResult, columns: HOSTILE, results: [HOSTILE, HOSTILE] },
  },
]

describe('draw', () => {
  it.each(Object.keys(CHARTS))('makes %s inert at every size and in every scheme', async (name) => {
    for (const look of TRIED) {
      const elements = expectInert(await drawSvg(chartOf(name), look))

      expect(elements.some(({ name: tag }) => tag === 'text')).toBe(true)
    }
  })

  it.each(hostileCharts.map((chart, at) => [at, chart] as const))(
    'makes hostile chart %d inert',
    async (_, chart) => {
      for (const look of TRIED) expectInert(await drawSvg(chart, look))

      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )

  it('escapes hostile text', async () => {
    const svg = await drawSvg(hostileCharts[0] as Chart)

    expect(svg).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  it('is deterministic', async () => {
    for (const name of ['trends-line', 'paths', 'retention']) {
      const first = await drawSvg(chartOf(name))
      await drawSvg(chartOf('funnel'))

      expect(await drawSvg(chartOf(name))).toBe(first)
    }
  })

  it.each(Object.keys(CHARTS))(
    'makes a PNG of %s that has the requested size and is not blank',
    async (name) => {
      const png = await pngOf(chartOf(name), LOOKS[2])

      expect(png).toMatchObject({ width: 780, height: 640 })
      expect(png.colors).toBeGreaterThan(8)
    },
  )

  it.each(['light', 'dark'] satisfies Scheme[])(
    "uses the %s scheme's surface color as the background",
    async (scheme) => {
      const png = await pngOf(chartOf('trends-line'), { scheme })

      expect(png.at(2, 2)).toBe(paletteOf(scheme).surface)
    },
  )

  it('draws bars in the first color of the palette', async () => {
    const png = await pngOf(chartOf('funnel-bars'))
    const column = Array.from({ length: png.height }, (_, y) => png.at(60, y))

    expect(column).toContain(paletteOf('light').series[0])
  })

  it('omits the title if withTitle is false', async () => {
    const heading = (svg: string) => parseXml(svg).filter(({ text }) => text === 'Retention').length

    expect(heading(await drawSvg(chartOf('retention')))).toBe(2)
    expect(heading(await drawSvg(chartOf('retention'), { withTitle: false }))).toBe(1)
  })

  it('draws text with characters that Inter lacks', async () => {
    const chart = { ...chartOf('trends-line'), title: '漢字 مرحبا' }

    expect((await pngOf(chart)).colors).toBeGreaterThan(8)
  })

  it.each([
    ['a string instead of series', trendsQuery(), 'nonsense'],
    ['null instead of a series', trendsQuery(), [null]],
    ['numbers instead of steps', { kind: 'FunnelsQuery' }, [1, 2]],
    ['a number as display', trendsQuery(7 as never), [trend('a', [1])]],
    ['no source', { kind: 'InsightVizNode', source: null }, []],
  ])('draws a message for a result with %s', async (_, query, result) => {
    const drawn = await draw({ type: 'svg', chart: { title: 'x', query, result }, look: LOOKS[0] })

    expect('picture' in drawn && parseXml(String(drawn.picture)).length).toBeGreaterThan(2)
  })
})
