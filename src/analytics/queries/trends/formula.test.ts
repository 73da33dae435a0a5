import { describe, expect, it } from 'vitest'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { compileTrendsQuery } from './compile.ts'
import { parseFormula } from './formula.ts'

const compute = (text: string) => parseFormula(text, 3, 'x')([6, 4, 0])

describe('a formula', () => {
  it.each([
    ['A', 6],
    ['a + b', 10],
    ['A - B - 1', 1],
    ['A / B', 1.5],
    ['A / B * 2', 3],
    ['2 * (A + B)', 20],
    ['A + B * 2', 14],
    ['-A + B', -2],
    ['A - -B', 10],
    ['--A', 6],
    ['-(A)', -6],
    ['(A + B) / 100 * 50.5', 5.05],
    ['.5*A', 3],
    [' (( A ) ) ', 6],
    ['A / C', 0],
    ['A / (B - 4)', 0],
  ])('computes %s', (text, expected) => {
    expect(compute(text)).toBeCloseTo(expected, 12)
  })

  it('is 0 if the result is not finite', () => {
    const huge = Array.from({ length: 40 }, () => '9999999999').join('*')

    expect(compute(huge)).toBe(0)
  })

  it.each([
    ['', 1],
    ['A +', 4],
    ['A B', 3],
    ['A + D', 5],
    ['(A', 3],
    ['A)', 2],
    ['* A', 1],
    ['A ** B', 4],
    ['AB', 1],
    ['1.2.3', 4],
    ['A; process.exit()', 2],
    ['A ÷ B', 3],
    [`${'('.repeat(200)}A`, 51],
  ])('is refused with the position of the error: %s', (text, position) => {
    expect(() => parseFormula(text, 3, 'query__trendsFilter__formula')).toThrow(
      expect.objectContaining({
        statusCode: 400,
        attr: 'query__trendsFilter__formula',
        message: expect.stringMatching(new RegExp(`at position ${position}\\.$`)),
      }),
    )
  })
})

async function start(events: readonly TestEvent[]) {
  const stores = await startStores()
  await stores.add(events)
  const dateRange = { date_from: '2026-03-17', date_to: '2026-03-18' }
  return (query: Partial<TrendsQuery>) =>
    stores.run(
      compileTrendsQuery(
        { kind: 'TrendsQuery', dateRange, series: [{ event: 'a' }, { event: 'b' }], ...query },
        contextOf(),
      ),
    )
}

const of = (event: string, at: string, plan = 'pro'): TestEvent => ({
  event,
  at,
  properties: { plan },
})

describe('a trend with a formula', () => {
  it('replaces the series with one computed per interval', async () => {
    const run = await start([
      of('a', '2026-03-17'),
      of('a', '2026-03-18'),
      of('b', '2026-03-18'),
      of('b', '2026-03-18'),
    ])

    expect(await run({ trendsFilter: { formula: 'A / B * 100' } })).toEqual([
      {
        label: 'Formula (A / B * 100)',
        count: 50,
        data: [0, 50],
        labels: ['17-Mar-2026', '18-Mar-2026'],
        days: ['2026-03-17', '2026-03-18'],
        unfinished: true,
        action: null,
      },
    ])
  })

  it('computes one number from the totals of the series', async () => {
    const run = await start([of('a', '2026-03-17'), of('a', '2026-03-18'), of('b', '2026-03-18')])
    const shown = (display: 'BoldNumber' | 'ActionsLineGraphCumulative') =>
      run({ trendsFilter: { formula: 'A / B', display } })

    expect(await shown('BoldNumber')).toMatchObject([
      { aggregated_value: 2, count: 2, data: [0, 1] },
    ])
    expect(await shown('ActionsLineGraphCumulative')).toMatchObject([{ data: [0, 2], count: 2 }])
  })

  it('uses each breakdown value in every series, even if it is small there', async () => {
    const run = await start([
      of('a', '2026-03-18', 'pro'),
      of('a', '2026-03-18', 'pro'),
      of('b', '2026-03-18', 'pro'),
      of('b', '2026-03-18', 'free'),
      of('b', '2026-03-18', 'free'),
    ])

    const result = await run({
      trendsFilter: { formula: 'A / B' },
      breakdownFilter: { breakdown: 'plan', breakdown_limit: 1 },
    })

    expect(result.map(({ label, data }) => [label, data])).toEqual([
      ['pro', [0, 2]],
      ['Other (all remaining values)', [0, 0]],
    ])
  })

  it('can be several, with names', async () => {
    const run = await start([of('a', '2026-03-18')])
    const formulaNodes = [{ formula: 'A', custom_name: 'Ayes' }, { formula: 'A + 1' }]
    const labels = async (trendsFilter: TrendsQuery['trendsFilter']) =>
      (await run({ trendsFilter })).map(({ label }) => label)

    expect(await labels({ formulaNodes, formulas: ['B'] })).toEqual(['Ayes', 'Formula (A + 1)'])
    expect(await labels({ formulas: ['A', 'B'], formula: 'A' })).toEqual([
      'Formula (A)',
      'Formula (B)',
    ])
    expect(await labels({ formula: '' })).toEqual(['a', 'b'])
  })

  it.each([
    [{ formula: 'A / C' }, 'query__trendsFilter__formula'],
    [{ formulas: ['A', '+'] }, 'query__trendsFilter__formulas__1'],
    [{ formulaNodes: [{ formula: 'Z' }] }, 'query__trendsFilter__formulaNodes__0__formula'],
  ])('refuses %j with its path', async (trendsFilter, attr) => {
    const run = await start([])

    expect(() => run({ trendsFilter })).toThrow(expect.objectContaining({ statusCode: 400, attr }))
  })
})
