/** A character outside of the first 65,536: both halves of its surrogate pair, in three bytes each. */
const PAIR = /\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]/g

/**
 * Converts CESU-8 to UTF-8: before base64, older versions of posthog-js encode both halves of emoji by themselves.
 * Half a pair stays as it is, which is not UTF-8.
 */
export const fromCesu8 = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(PAIR, toUtf8), 'latin1')

const toUtf8 = (pair: string): string =>
  Buffer.from(String.fromCharCode(toUnit(pair, 0), toUnit(pair, 3))).toString('latin1')

/** Decodes three bytes to half a pair. */
const toUnit = (bytes: string, at: number): number =>
  0xd000 | ((bytes.charCodeAt(at + 1) & 0x3f) << 6) | (bytes.charCodeAt(at + 2) & 0x3f)
