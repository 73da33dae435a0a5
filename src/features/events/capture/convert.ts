import { type PackedEvents, packEvents } from '#server/analytics/event-batch.ts'
import { type EventRow, toEventRow } from '#server/analytics/event-row.ts'
import { type ApiError, invalid } from '#server/errors.ts'
import { parseJson, releaseMemory, unpackBody } from './body.ts'
import { type Format, toFormat } from './format.ts'
import { type Outline, outlineBody, type Range, requireFewValues } from './outline.ts'
import type { ProjectRules } from './project-tokens.ts'
import { requireSameToken, toClock, toPath } from './request.ts'
import { addResult, attempt, type EventResults } from './results.ts'
import type { Sender } from './sender.ts'

/** Small enough that the main thread unpacks a slice in a few milliseconds. */
const MAX_SLICE_EVENTS = 500
const MAX_SLICE_LENGTH = 256 * 1024
/** The thread that stores the events knows their project. */
const NO_PROJECT = 0
const OPEN_LIST = 0x5b

export interface ConversionTask {
  readonly body: Uint8Array<ArrayBuffer>
  readonly maxBytes: number
  readonly sender: Sender
}

/** The outcome of a conversion, besides the events. */
export interface Conclusion {
  /** The reason why the events cannot be stored. */
  readonly problem: ApiError | undefined
  readonly results: EventResults | undefined
}

/** The token comes first, in a step of its own; the conversion continues with the project's rules. */
export type ConversionStep =
  | { readonly token: unknown; readonly events?: undefined }
  | { readonly token?: undefined; readonly events: PackedEvents }

export type Conversion = Generator<ConversionStep, Conclusion | undefined, ProjectRules | undefined>

/**
 * Converts a body of any size, one event at a time, to use little memory beside the body. Yields the token, then slices
 * of events, and returns undefined if the body is larger than allowed.
 */
export function* convertBody({ body, maxBytes, sender }: ConversionTask): Conversion {
  const bytes = unpackBody(Buffer.from(body.buffer), maxBytes, sender.encoding)
  if (bytes === undefined) return undefined
  try {
    return yield* convertEvents(bytes, sender)
  } finally {
    releaseMemory(bytes)
  }
}

function* convertEvents(bytes: Buffer, sender: Sender): Conversion {
  const format = toFormat(sender.format)
  const outline = outlineBody(bytes)
  const { events, field, token, sentAt } = format.parseRequest(parseEnvelope(bytes, outline))
  const parse = () => (outline.list ? parseEvents(bytes, outline.events) : events)
  const own = sender.token ?? token ?? undefined
  let common = own ?? findFirstToken(parse(), format)
  const rules = yield { token: common }
  const context = { ...toClock(sentAt, sender.clientTime), library: sender.library, ...rules }
  const results: EventResults | undefined = format.reportsEach ? new Map() : undefined
  let [index, length] = [0, 0]
  let problem: ApiError | undefined
  let slice: EventRow[] = []
  for (const raw of parse()) {
    if (own === undefined) common = requireSameToken(common, format.findToken(raw))
    // the rest is parsed anyway, because it may not be JSON
    const refusal = problem
      ? undefined
      : attempt(() => {
          const event = toEventRow(
            NO_PROJECT,
            format.toNewEvent(raw, toPath(field, index), context),
          )
          length += event.properties.length + (event.fullProperties?.length ?? 0)
          slice.push(event)
        })
    if (results) addResult(results, raw, refusal)
    else problem ??= refusal
    index++
    if (slice.length < MAX_SLICE_EVENTS && length < MAX_SLICE_LENGTH) continue
    yield { events: packEvents(slice) }
    slice = []
    length = 0
  }
  if (index === 0) problem = invalid(field || null, 'This list may not be empty.')
  if (slice.length > 0) yield { events: packEvents(slice) }
  return { problem, results }
}

/** Events of a list name the project each. */
function findFirstToken(raws: Iterable<unknown>, { findToken }: Format): unknown {
  for (const raw of raws) {
    const token = findToken(raw)
    if (token !== undefined) return token
  }
  return undefined
}

/** Parses everything around the list of events. */
function parseEnvelope(bytes: Buffer, { list }: Outline): unknown {
  if (!list) {
    requireFewValues(bytes)
    return parseJson(bytes)
  }
  const emptyList = Buffer.from([OPEN_LIST, bytes[list.to - 1] as number])
  const parts = [bytes.subarray(0, list.from), emptyList, bytes.subarray(list.to)]
  const envelope = Buffer.concat(parts)
  requireFewValues(envelope)
  return parseJson(envelope)
}

function* parseEvents(bytes: Buffer, ranges: readonly Range[]): Generator<unknown> {
  for (const { from, to } of ranges) yield parseJson(bytes.subarray(from, to))
}
