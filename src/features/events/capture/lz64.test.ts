import fc from 'fast-check'
import LZString from 'lz-string'
import { describe, expect, it } from 'vitest'
import { unpackLz64 } from './lz64.ts'

const MIB = 1024 * 1024

describe('lz64', () => {
  it('unpacks what lz-string packs', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(fc.constantFrom('a', 'b', 'é', '漢', '\0', '\uffff'), { maxLength: 500 }),
      fc.json({ maxDepth: 4 }),
    )
    fc.assert(
      fc.property(texts, (value) => {
        const text = Array.isArray(value) ? value.join('') : value
        expect(unpackLz64(LZString.compressToBase64(text), MIB)).toBe(text)
      }),
      { numRuns: 300 },
    )
  })

  it('stops at the limit', () => {
    const bomb = LZString.compressToBase64('x'.repeat(MIB))

    expect(bomb.length).toBeLessThan(4000)
    expect(unpackLz64(bomb, MIB)).toHaveLength(MIB)
    expect(unpackLz64(bomb, MIB - 1)).toBeUndefined()
  })

  it('never fails otherwise than with a parse error', () => {
    fc.assert(
      fc.property(fc.base64String({ maxLength: 200 }), (text) => {
        try {
          unpackLz64(text, 10_000)
        } catch (error) {
          expect(error).toMatchObject({ code: 'parse_error' })
        }
      }),
      { numRuns: 500 },
    )
  })
})
