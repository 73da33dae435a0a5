import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextOf, startStores } from '../../test/support/data/queries.ts'
import { cutsExponents } from '../../test/support/servers/clickhouse.ts'
import { numRuns } from '../../test/support/vitest/effort.ts'
import { toPropertiesText } from './properties-text.ts'
import { compileTrendsQuery } from './queries/trends/compile.ts'

const AT = '2026-03-18'

/** Runs a breakdown by one property on both databases. */
async function listLabels(values: readonly unknown[]): Promise<[unknown, number][]> {
  const stores = await startStores()
  await stores.add(values.map((value) => ({ at: AT, properties: { value } })))
  const plan = compileTrendsQuery(
    {
      kind: 'TrendsQuery',
      series: [{}],
      dateRange: { date_from: AT, date_to: AT },
      breakdownFilter: { breakdown: 'value', breakdown_limit: 500 },
    },
    contextOf(),
  )
  const result = await stores.run(plan)
  return result.map(({ breakdown_value, count }) => [breakdown_value, count])
}

describe('breakdown label', () => {
  it.each([
    ['an object', { b: [1, { d: null }], a: 'x y' }, '{"a":"x y","b":[1,{"d":null}]}'],
    ['keys that are numbers', { b: 1, 10: 2, 9: 3 }, '{"10":2,"9":3,"b":1}'],
    ['a list', [1, 'two, three', true, []], '[1,"two, three",true,[]]'],
    ['a large number', 1e21, '1e21'],
    ['a large whole number', 123456789012345680000, '123456789012345680000'],
    ['a long negative number', -9223372036854776000, '-9223372036854776000'],
    ['a small number', 1.25e-7, '1.25e-7'],
    ['a number that needs no exponent', 0.000001, '0.000001'],
    ['control characters in a list', ['\u001f\u000b"\\\n/'], '["\\u001F\\u000B\\"\\\\\\n/"]'],
    ['a text that looks like a number', '1000000000000000000000000', '1000000000000000000000000'],
    ['a text that looks like an object', '{"a": 1}', '{"a": 1}'],
  ])('of %s has one form', async (_, value, label) => {
    expect(await listLabels([value])).toEqual([[label, 1]])
  })

  it.skipIf(cutsExponents())('of a larger number has one form', async () => {
    expect(await listLabels([-1.5e300])).toEqual([['-1.5e300', 1]])
  })

  it('ignores the key order of an object', async () => {
    const labels = await listLabels([
      { b: 1, a: { '😀': 1, ﬀ: 2 } },
      { a: { ﬀ: 2, '😀': 1 }, b: 1 },
    ])

    expect(labels).toEqual([['{"a":{"ﬀ":2,"😀":1},"b":1}', 2]])
  })

  it.skipIf(cutsExponents())('is the same on both databases for any value', async () => {
    const values = fc.array(
      fc.oneof(
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
      { minLength: 30, maxLength: 100 },
    )

    await fc.assert(
      fc.asyncProperty(values, async (some) => {
        await listLabels(some)
      }),
      numRuns(25, 2),
    )
  })
})

describe('toPropertiesText', () => {
  it('round-trips the properties', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (properties) => {
        expect(JSON.parse(toPropertiesText(properties))).toEqual(
          JSON.parse(JSON.stringify(properties)),
        )
      }),
    )
  })

  it('keeps the last of two keys that become equal', () => {
    expect(toPropertiesText({ o: { 'a\0': 1, 'a\ufffd': 2 } })).toBe('{"o":{"a\ufffd":2}}')
  })
})
