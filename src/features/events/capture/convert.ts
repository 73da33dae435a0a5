import { type PackedEvents, packEvents } from '#server/analytics/event-batch.ts'
import { type EventRow, toEventRow } from '#server/analytics/event-row.ts'
import { ApiError, invalid } from '#server/errors.ts'
import { parseJson, releaseMemory, unpackBody } from './body.ts'
import { type FormatName, toFormat } from './format.ts'
import { type Outline, outlineBody, type Range, requireFewValues } from './outline.ts'
import { requireSameToken, toClock, toPath } from './request.ts'

/** Small enough that the main thread unpacks a slice in a few milliseconds. */
const MAX_SLICE_EVENTS = 500
const MAX_SLICE_LENGTH = 256 * 1024
/** The thread that stores the events knows their project. */
const NO_PROJECT = 0
const OPEN_LIST = 0x5b

export interface ConversionTask {
  readonly body: Uint8Array<ArrayBuffer>
  readonly maxBytes: number
  readonly clientTime: unknown
  readonly format: FormatName
}

/** The outcome of a conversion, besides the events. */
export interface Conclusion {
  readonly token: unknown
  /** The reason why the events cannot be stored; reported only if the token is valid. */
  readonly problem: ApiError | undefined
}

export type Conversion = Generator<PackedEvents, Conclusion | undefined>

/**
 * Converts a body of any size, one event at a time, to use little memory beside the body. Yields slices of
 * events and returns undefined if the body is larger than allowed.
 */
export function* convertBody({ body, maxBytes, ...task }: ConversionTask): Conversion {
  const bytes = unpackBody(Buffer.from(body.buffer), maxBytes)
  if (bytes === undefined) return undefined
  try {
    return yield* convertEvents(bytes, task)
  } finally {
    releaseMemory(bytes)
  }
}

function* convertEvents(
  bytes: Buffer,
  { clientTime, format: name }: Pick<ConversionTask, 'clientTime' | 'format'>,
): Generator<PackedEvents, Conclusion> {
  const format = toFormat(name)
  const outline = outlineBody(bytes)
  const { events, field, token, sentAt } = format.parseRequest(parseEnvelope(bytes, outline))
  const clock = toClock(sentAt, clientTime)
  const raws = outline.list ? parseEvents(bytes, outline.events) : events
  let common: unknown = token ?? undefined
  let [index, length] = [0, 0]
  let problem: ApiError | undefined
  let slice: EventRow[] = []
  for (const raw of raws) {
    if ((token ?? undefined) === undefined) common = requireSameToken(common, format.findToken(raw))
    // the rest is parsed anyway, because it may not be JSON
    problem ??= attempt(() => {
      const event = toEventRow(NO_PROJECT, format.toNewEvent(raw, toPath(field, index), clock))
      length += event.properties.length + (event.fullProperties?.length ?? 0)
      slice.push(event)
    })
    index++
    if (slice.length < MAX_SLICE_EVENTS && length < MAX_SLICE_LENGTH) continue
    yield packEvents(slice)
    slice = []
    length = 0
  }
  if (index === 0) problem = invalid(field || null, 'This list may not be empty.')
  if (slice.length > 0) yield packEvents(slice)
  return { token: common, problem }
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

function attempt(task: () => void): ApiError | undefined {
  try {
    task()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
