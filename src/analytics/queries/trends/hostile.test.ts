import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { contextOf, startStores } from '../../../../test/support/data/queries.ts'
import { cutsExponents } from '../../../../test/support/servers/clickhouse.ts'
import { compileTrendsQuery } from './compile.ts'

const HOSTILE = [
  "'; drop table events; --",
  '"quoted" `ticks` $1 $$ {x}',
  'a\u0000b',
  '\u{1F994}\u{1F468}\u200D\u{1F469}',
  '\\',
  '%_',
  'x'.repeat(10_000),
  '/a~b',
  '__proto__',
]

describe('hostile text', () => {
  it.each(HOSTILE.map((text) => [text.slice(0, 30), text]))(
    'is treated as data: %j',
    async (_, text) => {
      const stores = await startStores()
      const at = '2026-03-18'
      await stores.add([{ event: text, person: text, at, properties: { [text]: text, amount: 2 } }])
      await stores.add([{ event: text, person: 'canary', at, properties: { [text]: text } }], 2)
      const key = text.slice(0, 400)
      const query: TrendsQuery = {
        kind: 'TrendsQuery',
        series: [
          { event: text.slice(0, 400), math: 'dau', custom_name: text },
          { event: null, properties: [{ key, value: text, operator: 'is_not' }] },
          { event: null, math: 'sum', math_property: key },
          { event: null, math: 'weekly_active' },
        ],
        breakdownFilter: { breakdown: key },
      }

      const broken = await stores.run(compileTrendsQuery(query, contextOf()))
      const whole = await stores.run(
        compileTrendsQuery({ ...query, breakdownFilter: null }, contextOf()),
      )

      expect(broken.find(({ action }) => action?.order === 0)).toMatchObject({ count: 1 })
      expect(whole.map(({ count }) => count)).toEqual([1, expect.any(Number), 0, 1])
    },
  )
})

describe('a number', () => {
  it.each([
    ['Infinity', 0],
    ['-inf', 0],
    ['NaN', 0],
    ['1e400', 0],
    ['1e100', 0],
    ['9'.repeat(150), 0],
    ['1_000', 0],
    ['0x10', 0],
    ['', 0],
    [' 7 ', 7],
    ['+7', 7],
    ['1e3', 1000],
    [true, 0],
    [[5], 0],
    [{ a: 5 }, 0],
    [1e-7, 1e-7],
    [1e21, 1e21],
  ])('is parsed alike by both databases: %j', expectSum)

  it.skipIf(cutsExponents()).each([1e300, -1e100])('is too large to be added: %j', (amount) =>
    expectSum(amount, 0),
  )

  async function expectSum(amount: unknown, expected: number) {
    const stores = await startStores()
    const [at, other] = ['2026-03-18', { amount: 0.5 }]
    await stores.add([
      { at, properties: { amount } },
      { at, properties: other },
    ])
    const series = [{ math: 'sum', math_property: 'amount' } as const]

    const [result] = await stores.run(
      compileTrendsQuery({ kind: 'TrendsQuery', series }, contextOf()),
    )

    expect(result?.count).toBe(Number((expected + 0.5).toPrecision(12)))
  }
})

describe('the schema of a trend', () => {
  const schema = Compile(TrendsQuery)
  const problem = (query: object): string | undefined =>
    schema.Errors({ kind: 'TrendsQuery', series: [{}], ...query })[0]?.instancePath

  it.each([
    [{ series: [] }, '/series'],
    [{ series: Array(27).fill({}) }, '/series'],
    [{ series: [{ math: 'magic' }] }, '/series/0/math'],
    [{ interval: 'year' }, '/interval'],
    [{ trendsFilter: { display: 'Hologram' } }, '/trendsFilter/display'],
    [{ trendsFilter: { smoothingIntervals: 0 } }, '/trendsFilter/smoothingIntervals'],
    [{ trendsFilter: { formulas: [''] } }, '/trendsFilter/formulas/0'],
    [{ compareFilter: { compare_to: 'last week' } }, '/compareFilter/compare_to'],
    [{ breakdownFilter: { breakdown_limit: 0 } }, '/breakdownFilter/breakdown_limit'],
  ])('names the path of the error in %j', (query, path) => {
    expect(problem(query)).toBe(path)
  })

  it('accepts display settings', () => {
    expect(
      problem({
        samplingFactor: 1,
        version: 2,
        trendsFilter: { showLegend: true, yAxisScaleType: 'linear', display: null },
        series: [{ kind: 'EventsNode', event: '$pageview', version: 1 }],
      }),
    ).toBeUndefined()
  })
})
