import { ApiError, parseError } from '#server/errors.ts'
import { findPartEnd, findTextEnd, skipSpace } from '#server/json-scan.ts'

/** Clients send a hundred events at a time; this many are converted and stored in less than a second. */
const MAX_EVENTS = 10_000
/** Parsing an event of this many values takes 50 MB. */
const MAX_VALUES = 100_000

export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** The parts of a body, found without parsing it. */
export interface Outline {
  readonly isList: boolean
  /** The list of events, if it is complete: the body, or its field `batch`. */
  readonly list: ByteRange | undefined
  readonly events: readonly ByteRange[]
  /** The fields that may hold the token. */
  readonly fields: ReadonlyMap<string, ByteRange>
}

const NO_FIELDS: ReadonlyMap<string, ByteRange> = new Map()
const TOKEN_FIELDS = new Set(['api_key', 'token', '$token', 'properties', 'writeKey'])
const MAX_KEY_BYTES = 100
const [QUOTE, COMMA, COLON, OPEN_LIST] = [0x22, 0x2c, 0x3a, 0x5b]

/** Finds the events and the token of a body. A truncated body has only its complete parts. */
export function outlineBody(bytes: Buffer): Outline {
  const start = skipSpace(bytes, 0)
  return bytes[start] === OPEN_LIST ? outlineList(bytes, start) : outlineObject(bytes, start)
}

function outlineList(bytes: Buffer, start: number): Outline {
  const events: ByteRange[] = []
  for (let from = start + 1; ; ) {
    const to = findEnd(bytes, from)
    if (to === bytes.length) return { isList: true, list: undefined, events, fields: NO_FIELDS }
    const isLast = bytes[to] !== COMMA
    const isEmptyList = isLast && events.length === 0 && skipSpace(bytes, from) === to
    if (!isEmptyList) events.push({ from, to })
    requireFewEvents(events.length)
    if (isLast) {
      return { isList: true, list: { from: start, to: to + 1 }, events, fields: NO_FIELDS }
    }
    from = to + 1
  }
}

function outlineObject(bytes: Buffer, start: number): Outline {
  const fields = new Map<string, ByteRange>()
  let batch: Outline | undefined
  for (let at = start + 1; ; ) {
    const { key, from } = readKey(bytes, at)
    const isBatch = key === 'batch' && bytes[from] === OPEN_LIST
    if (isBatch && batch) throw parseError('the field "batch" occurs twice')
    if (isBatch) batch = outlineList(bytes, from)
    const to = isBatch && batch ? findListEnd(batch, bytes) : findEnd(bytes, from)
    if (to < bytes.length && TOKEN_FIELDS.has(key)) fields.set(key, { from, to })
    if (bytes[to] !== COMMA) {
      return { isList: false, list: batch?.list, events: batch?.events ?? [], fields }
    }
    at = to + 1
  }
}

const findListEnd = ({ list }: Outline, bytes: Buffer): number =>
  list ? findEnd(bytes, list.to) : bytes.length

/** Refuses an event that would take much memory to parse. */
export const requireFewParts = (event: Buffer): void => void findEnd(event, 0)

function findEnd(bytes: Buffer, from: number): number {
  const end = findPartEnd(bytes, from, MAX_VALUES)
  if (end === 'too deep') throw parseError('nested deeper than 64 levels')
  if (end !== 'too many values') return end
  const most = MAX_VALUES.toLocaleString('en')
  throw new ApiError('request_too_large', `An event has more than ${most} values.`)
}

/** Reads the key of a field and finds its value. Syntax errors are found when the fields are parsed. */
function readKey(bytes: Buffer, start: number): { key: string; from: number } {
  const from = skipSpace(bytes, start)
  const to = bytes[from] === QUOTE ? findTextEnd(bytes, from) : from
  const colon = skipSpace(bytes, to + 1)
  if (bytes[colon] !== COLON) return { key: '', from }
  return {
    key: to - from > MAX_KEY_BYTES ? '' : toKey(bytes.toString('utf8', from, to + 1)),
    from: skipSpace(bytes, colon + 1),
  }
}

function toKey(text: string): string {
  try {
    return String(JSON.parse(text)) // a key may have escapes
  } catch {
    return ''
  }
}

export function requireFewEvents(count: number): void {
  if (count <= MAX_EVENTS) return
  const most = MAX_EVENTS.toLocaleString('en')
  throw new ApiError('request_too_large', `The request has more than ${most} events.`)
}
