import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { paletteOf } from '#model/palette.ts'
import { DASHBOARD, place, tileOf } from '../../../test/pictures/dashboard.ts'
import { readPng } from '../../../test/pictures/png.ts'
import { parseXml } from '../../../test/pictures/xml.ts'
import { dashboardPages } from './dashboard-svg.ts'
import { draw } from './draw.ts'
import { toSvg } from './sheet.ts'

async function readBytes(task: Parameters<typeof draw>[0]): Promise<Buffer> {
  const drawn = await draw(task)
  if ('failure' in drawn) throw new Error(drawn.failure)
  return Buffer.from(drawn.picture as Uint8Array)
}

const pagesIn = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0

const textsOf = (dashboard: typeof DASHBOARD): string[] =>
  dashboardPages(dashboard, { scheme: 'light', width: 1200 }, () => undefined)
    .flatMap((sheet) => parseXml(toSvg(sheet)))
    .map(({ text }) => text)

describe('dashboard picture', () => {
  it('shows the title, the time, and the titles and texts of the tiles', () => {
    expect(textsOf(DASHBOARD)).toEqual(
      expect.arrayContaining([
        'Product analytics',
        'How the shop is doing this month.',
        '15 Nov 2026, 08:00 UTC',
        'Growth accounting',
        '128,459',
        'March',
        'Numbers of the',
        'Demo data',
        'app, see the docs.',
        'The property does not exist.',
        'No events in this range',
      ]),
    )
  })

  it('has the requested width and the canvas color', async () => {
    const task = { type: 'dashboardPng', dashboard: DASHBOARD, scheme: 'dark', width: 800 } as const
    const png = readPng(await readBytes(task))

    expect(png.width).toBe(1600)
    expect(png.at(4, 4)).toBe(paletteOf('dark').canvas)
    expect(png.colors).toBeGreaterThan(50)
  })

  it('has one column on a phone', () => {
    const [phone] = dashboardPages(DASHBOARD, { scheme: 'light', width: 390 }, () => undefined)
    const [desk] = dashboardPages(DASHBOARD, { scheme: 'light', width: 1200 }, () => undefined)

    expect(phone?.height).toBeGreaterThan((desk?.height ?? 0) * 1.7)
  })

  it('shows the titles of sections, and no tiles of folded ones', () => {
    const title = (text: string, y: number, section: 'open' | 'folded') => ({
      ...{ title: '', color: null, text, section, layouts: place(0, y, 12, 1) },
    })
    const named = (name: string, y: number) => ({
      ...tileOf('trends-number', place(0, y, 4, 3)),
      title: name,
    })
    const texts = textsOf({
      ...DASHBOARD,
      tiles: [
        title('Open', 0, 'open'),
        named('Seen', 1),
        title('Folded', 4, 'folded'),
        named('Hidden', 5),
      ],
    })

    expect(texts).toEqual(expect.arrayContaining(['Open', 'Seen', 'Folded', '1 tile folded']))
    expect(texts).not.toContain('Hidden')
  })

  it('contains no duplicate IDs', () => {
    const [sheet] = dashboardPages(DASHBOARD, { scheme: 'light', width: 1200 }, () => undefined)
    const ids = [...(sheet?.content ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('scales down a very high dashboard to limit memory', async () => {
    const tiles = Array.from({ length: 60 }, (_, at) =>
      tileOf('trends-empty', place(0, at, 12, 20)),
    )
    const task = { type: 'dashboardPng', scheme: 'light', width: 1200 } as const
    const png = await readBytes({ ...task, dashboard: { ...DASHBOARD, tiles } })

    expect(png.readUInt32BE(16) * png.readUInt32BE(20)).toBeLessThan(25_000_000)
  })

  it('says how many tiles it omits above the limit', () => {
    const tiles = Array.from({ length: 103 }, (_, at) => tileOf('trends-empty', place(0, at, 6, 3)))

    expect(textsOf({ ...DASHBOARD, tiles })).toContain(
      '15 Nov 2026, 08:00 UTC, without 3 more tiles',
    )
  })

  it('reports a chart that cannot be drawn and draws the others', () => {
    const problems: string[] = []
    const tiles = [
      { ...tileOf('trends-line', place(0, 0, 6, 5)), result: [{ data: [1], days: 7 }] },
      tileOf('funnel', {}),
    ]
    const [sheet] = dashboardPages(
      { ...DASHBOARD, tiles },
      { scheme: 'light', width: 900 },
      (one) => problems.push(one),
    )

    const words = parseXml(toSvg(sheet as never)).map(({ text }) => text)
    expect(words).toEqual(expect.arrayContaining(['This result cannot be drawn', '4. purchase']))
    expect(problems).toHaveLength(1)
  })
})

describe('dashboard PDF', () => {
  it('has A4 pages with embedded fonts and no images', async () => {
    const pdf = await readBytes({ type: 'dashboardPdf', dashboard: DASHBOARD })
    const text = pdf.toString('latin1')

    expect(text.startsWith('%PDF-1.')).toBe(true)
    expect(text.trimEnd().endsWith('%%EOF')).toBe(true)
    expect(pagesIn(pdf)).toBe(2)
    expect(text).toContain('/MediaBox [0 0 595.28 841.89]')
    expect(text).toMatch(/\/FontName \/\w+\+Inter-?SemiBold/)
    const fonts = [...text.matchAll(/\/BaseFont \/(\S+)/g)].map(([, name = '']) => name)
    expect(fonts.filter((name) => !/^\w+\+Inter/.test(name))).toEqual([])
    expect(text).not.toContain('/Subtype /Image')
  })

  it('has selectable text', async () => {
    const pdf = await readBytes({ type: 'dashboardPdf', dashboard: DASHBOARD })
    const streams = [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)]
    const contents = streams.map(([, data]) =>
      inflateOrEmpty(Buffer.from(data as string, 'latin1')),
    )

    expect(
      contents.some(
        (content) => content.includes('beginbfchar') || content.includes('beginbfrange'),
      ),
    ).toBe(true)
    expect(contents.some((content) => / TJ|Tj/.test(content))).toBe(true)
  })

  it('is identical for the same data and time', async () => {
    const task = { type: 'dashboardPdf', dashboard: DASHBOARD } as const

    expect((await readBytes(task)).equals(await readBytes(task))).toBe(true)
  })

  it.each([
    ['no tiles', { tiles: [] }],
    [
      'hostile text',
      { title: '<b>&\u0000漢字\ud800', description: '"'.repeat(5000), takenAt: 'never', tiles: [] },
    ],
    [
      'a very long text',
      { tiles: [{ title: '', color: null, layouts: {}, text: '*['.repeat(50_000) }] },
    ],
  ])('is created with %s', async (_, change) => {
    const pdf = await readBytes({ type: 'dashboardPdf', dashboard: { ...DASHBOARD, ...change } })

    expect(pagesIn(pdf)).toBe(1)
  })
})

function inflateOrEmpty(data: Buffer): string {
  try {
    return inflateSync(data).toString('latin1')
  } catch {
    return ''
  }
}
