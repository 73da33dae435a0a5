/** Deeper values exhaust the stack of later readers. Callers that allow less check it after parsing. */
const MAX_DEPTH = 100

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [TAB, NEW_LINE, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The reason why a value would take long to parse, or could not be processed later. */
export type TooMuch = 'too many values' | 'too deep'

/**
 * Finds the position of the comma or bracket that ends the list item or object field starting at `from`: the length if
 * nothing ends it. Only looks at brackets, commas and quotes, because parsing finds all other mistakes.
 */
export function findPartEnd(bytes: Uint8Array, from: number, maxValues: number): number | TooMuch {
  let depth = 0
  let values = 0
  for (let at = from; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = findTextEnd(bytes, at)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth++
        values++
        if (depth > MAX_DEPTH) return 'too deep'
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (depth === 0) return at
        depth--
        break
      case COMMA:
        if (depth === 0) return at
        values++
        break
    }
    if (values > maxValues) return 'too many values'
  }
  return bytes.length
}

/** Finds the position of the quote that ends the text that starts at `from`, or the length. */
export function findTextEnd(bytes: Uint8Array, from: number): number {
  const near = Math.min(from + 64, bytes.length)
  let at = from + 1
  for (; at < near; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at
  }
  return findFarTextEnd(bytes, at)
}

/** Finds the end of a long text in a tenth of the time. No escape may straddle `from`. */
function findFarTextEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at++) {
    at = indexOf.call(bytes, QUOTE, at)
    if (at === -1) return bytes.length
    let backslashes = 0
    while (at - backslashes > from && bytes[at - backslashes - 1] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
}

/** Buffer's own `indexOf` is slower for a single byte. */
const { indexOf } = Uint8Array.prototype

/** Returns the position of the next byte that is not white space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at++) {
    const byte = bytes[at]
    if (byte !== SPACE && byte !== NEW_LINE && byte !== RETURN && byte !== TAB) return at
  }
}
