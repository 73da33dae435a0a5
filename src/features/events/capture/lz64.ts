import { parseError } from '#server/errors.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter.charCodeAt(0), value]))
const BITS = 6

/** Codes of the format; higher ones are phrases. */
const [LETTER_OF_8_BITS, LETTER_OF_16_BITS, END, FIRST_PHRASE] = [0, 1, 2, 3]

/**
 * Decompresses lz-string's base64 format, which older browser clients send. Returns undefined if the text is longer
 * than allowed, because a few kilobytes can unpack to a hundred megabytes.
 *
 * Every phrase is a part of the text so far: the phrase before and the letter after it.
 */
export function unpackLz64(packed: string, maxLength: number): string | undefined {
  const readBits = createBitReader(packed)
  const starts: number[] = Array(FIRST_PHRASE).fill(0)
  const lengths: number[] = Array(FIRST_PHRASE).fill(0)
  let text = new Uint16Array(Math.min(maxLength, 1024))
  let size = 0
  let width = 2
  let [start, length] = [0, 0]

  for (let isFirst = true; ; isFirst = false) {
    let code = readBits(width)
    if (code === END) return Buffer.from(text.buffer, 0, 2 * size).toString('utf16le')
    if (code === LETTER_OF_8_BITS || code === LETTER_OF_16_BITS) {
      const letter = readBits(code === LETTER_OF_8_BITS ? 8 : 16)
      if (size === maxLength) return undefined
      if (size === text.length) text = enlarge(text, size + 1, maxLength)
      text[size] = letter
      code = starts.push(size) - 1
      lengths.push(1)
      widen()
    }
    const [from, count] = findPhrase(code)
    if (size + count > maxLength) return undefined
    if (size + count > text.length) text = enlarge(text, size + count, maxLength)
    for (let at = 0; at < count; at++) text[size + at] = text[from + at] as number
    if (!isFirst) {
      starts.push(start)
      lengths.push(length + 1)
      widen()
    }
    ;[start, length] = [size, count]
    size += count
  }

  /** A phrase that is added by this very step begins like the one before, and ends with its first letter. */
  function findPhrase(code: number): [from: number, count: number] {
    if (code < FIRST_PHRASE || code > starts.length || length + starts.length === FIRST_PHRASE) {
      throw parseError('the body cannot be decompressed')
    }
    if (code === starts.length) return [start, length + 1]
    return [starts[code] as number, lengths[code] as number]
  }

  /** Codes get a bit when the next one would not fit. */
  function widen(): void {
    if (starts.length === 2 ** width) width++
  }
}

function enlarge(text: Uint16Array, needed: number, maxLength: number): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(Math.min(maxLength, 2 * needed))
  larger.set(text)
  return larger
}

/** Reads numbers, lowest bit first, from letters of six bits, highest bit first. */
function createBitReader(packed: string): (count: number) => number {
  let [at, value, mask] = [0, 0, 0]
  return (count) => {
    let bits = 0
    for (let power = 0; power < count; power++) {
      if (mask === 0) {
        const next = VALUES.get(packed.charCodeAt(at++))
        if (next === undefined) throw parseError('the body cannot be decompressed')
        value = next
        mask = 1 << (BITS - 1)
      }
      if (value & mask) bits |= 1 << power
      mask >>= 1
    }
    return bits
  }
}
