import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPropertiesText } from '../properties-text.ts'
import { markLongNumbers, unmarkLongNumbers } from './long-numbers.ts'

describe('markLongNumbers', () => {
  it.each([
    [
      { a: 123456789012345680000, b: [18446744073709552000, 1] },
      '{"a":123456789012345680000e0,"b":[18446744073709552000e0,1]}',
    ],
    [{ a: -9223372036854776000 }, '{"a":-9223372036854776000e0}'],
    [{ a: 9007199254740992000 }, '{"a":9007199254740992000}'],
    [{ a: 1e21, b: 0.0000012345678901234567 }, '{"a":1e+21,"b":0.0000012345678901234567}'],
    [
      { a: 'x:123456789012345680000"\\', ',123456789012345680000': '' },
      '{"a":"x:123456789012345680000\\"\\\\",",123456789012345680000":""}',
    ],
  ])('marks whole numbers that exceed 64 bits: %j', (properties, marked) => {
    const text = toPropertiesText(properties)

    expect(markLongNumbers(text)).toBe(marked)
    expect(unmarkLongNumbers(marked)).toBe(text)
  })

  it('changes no value', () => {
    const values = fc.oneof(
      fc.jsonValue(),
      fc.double({ min: -1e22, max: 1e22, noNaN: true }),
      fc.stringMatching(/^[:,["\\]-?\d{19,21}(e0)?$/),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), values), (properties) => {
        const text = toPropertiesText(properties)
        const marked = markLongNumbers(text)

        expect(JSON.parse(marked)).toEqual(JSON.parse(text))
        expect(unmarkLongNumbers(marked)).toBe(text)
      }),
    )
  })
})
