const UTF_16_LE = '\xff\xfe'
const UTF_16_BE = '\xfe\xff'
const BYTE_ORDER_MARK = 0xfeff

type Decode = (bytes: Buffer) => string

/**
 * Decodes chunks of UTF-8, or UTF-16 with a byte order mark, even if a character is split. Invalid bytes become
 * replacement characters.
 */
export function createDecoder(): { push(piece: Uint8Array, isLast?: boolean): string } {
  let kept: Buffer = Buffer.alloc(0)
  let decode: Decode | undefined

  return {
    push(piece, isLast = false) {
      const bytes = kept.length === 0 ? toBuffer(piece) : Buffer.concat([kept, piece])
      if (!decode && bytes.length < 3 && !isLast) {
        kept = bytes
        return ''
      }
      const isFirst = !decode
      decode ??= detectDecoder(bytes)
      const whole = isLast ? bytes.length : wholeLength(bytes, decode)
      // a copy: a view would keep the whole chunk in memory
      kept = Buffer.from(bytes.subarray(whole))
      const text = decode(bytes.subarray(0, whole))
      return isFirst && text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
    },
  }
}

const toBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const utf8: Decode = (bytes) => bytes.toString('utf8')
const littleEndian: Decode = (bytes) => bytes.toString('utf16le')
const bigEndian: Decode = (bytes) =>
  Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')

function detectDecoder(bytes: Buffer): Decode {
  const mark = bytes.toString('latin1', 0, 2)
  if (mark === UTF_16_LE) return littleEndian
  return mark === UTF_16_BE ? bigEndian : utf8
}

/** Returns the length without a character that is cut off at the end. */
function wholeLength(bytes: Buffer, decode: Decode): number {
  if (decode !== utf8) return bytes.length & ~1
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    if (byte >= 0xc0) return bytes.length - (back < sequenceLength(byte) ? back : 0)
  }
  return bytes.length
}

const sequenceLength = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2)
