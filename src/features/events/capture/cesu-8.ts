/** The first byte of both halves of a surrogate pair. */
const LEAD = 0xed

/**
 * Converts CESU-8 to UTF-8: before base64, older versions of posthog-js encode both halves of emoji separately, in
 * three bytes each. Half a pair stays as it is, which is not UTF-8. Uses numbers only, because a body can have millions
 * of pairs.
 */
export function fromCesu8(bytes: Buffer): Buffer {
  const utf8 = Buffer.alloc(bytes.length)
  let from = 0
  let length = 0
  for (let at = bytes.indexOf(LEAD); at !== -1; at = bytes.indexOf(LEAD, at + 1)) {
    const high = toUnit(bytes, at)
    const low = toUnit(bytes, at + 3)
    if (!isHigh(high) || !isLow(low)) continue
    length += bytes.copy(utf8, length, from, at)
    const character = 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff)
    utf8[length++] = 0xf0 | (character >> 18)
    utf8[length++] = 0x80 | ((character >> 12) & 0x3f)
    utf8[length++] = 0x80 | ((character >> 6) & 0x3f)
    utf8[length++] = 0x80 | (character & 0x3f)
    from = at + 6
  }
  length += bytes.copy(utf8, length, from)
  return utf8.subarray(0, length)
}

/** Decodes three bytes, or returns 0 if they are not a character that begins with the byte. */
function toUnit(bytes: Buffer, at: number): number {
  const second = bytes[at + 1] ?? 0
  const third = bytes[at + 2] ?? 0
  if (bytes[at] !== LEAD || (second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80) return 0
  return 0xd000 | ((second & 0x3f) << 6) | (third & 0x3f)
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number): boolean => unit >= 0xdc00
