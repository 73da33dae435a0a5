import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDecoder } from './decode.ts'

function decodeAt(bytes: Uint8Array, cuts: readonly number[]): string {
  const decoder = createDecoder()
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1))].sort((a, b) => a - b)
  const pieces = [0, ...ends].map((start, index) => bytes.subarray(start, ends[index]))
  return pieces.map((piece) => decoder.push(piece)).join('') + decoder.push(new Uint8Array(), true)
}

const cuts = fc.array(fc.nat(), { maxLength: 8 })
const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((some) => some[0] !== '\ufeff')

describe('a decoder', () => {
  it('returns the same text wherever a character is split', () => {
    fc.assert(
      fc.property(text, cuts, (written, at) => {
        expect(decodeAt(Buffer.from(written), at)).toBe(written)
      }),
    )
  })

  it('returns the same text for invalid UTF-8, wherever it is split', () => {
    fc.assert(
      fc.property(fc.uint8Array(), cuts, (bytes, at) => {
        const whole = decodeAt(bytes, [])

        expect(decodeAt(bytes, at)).toBe(whole)
      }),
    )
  })

  it('drops a byte order mark', () => {
    fc.assert(
      fc.property(text, cuts, (written, at) => {
        const marked = Buffer.from(`\ufeff${written}`, 'utf16le')

        expect(decodeAt(Buffer.from(`\ufeff${written}`), at)).toBe(written)
        expect(decodeAt(marked, at)).toBe(written)
        expect(decodeAt(Buffer.from(marked).swap16(), at)).toBe(written)
      }),
    )
  })
})
