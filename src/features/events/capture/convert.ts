import { type PackedEvents, packEvents } from '#server/analytics/event-batch.ts'
import { type EventRow, toEventRow } from '#server/analytics/event-row.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'
import type { Places } from '#server/geoip/places.ts'
import { parseJson, releaseMemory, unpackBody } from './body.ts'
import { type Conclusion, createEventConverter } from './convert-event.ts'
import { toFormat } from './format.ts'
import { type ByteRange, type Outline, outlineBody, requireFewParts } from './outline.ts'
import type { ProjectRules } from './project-tokens.ts'
import { resolveToken } from './request.ts'
import type { CaptureSource } from './source.ts'

/** Small enough that the main thread unpacks a slice in a few milliseconds. */
const MAX_SLICE_EVENTS = 500
const MAX_SLICE_LENGTH = 256 * 1024
/** The thread that stores the events knows their project. */
const NO_PROJECT = 0
const OPEN_LIST = 0x5b

export interface ConversionTask {
  readonly body: Uint8Array<ArrayBuffer>
  readonly maxBytes: number
  readonly source: CaptureSource
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
export function* convertBody(
  { body, maxBytes, source }: ConversionTask,
  places: Places,
): Conversion {
  const bytes = unpackBody(Buffer.from(body.buffer), maxBytes, source.encoding)
  if (bytes === undefined) return undefined
  try {
    return yield* convertInSlices(bytes, source, places)
  } finally {
    releaseMemory(bytes)
  }
}

function* convertInSlices(bytes: Buffer, source: CaptureSource, places: Places): Conversion {
  const format = toFormat(source.format)
  const outline = outlineBody(bytes)
  const request = format.parseRequest(parseEnvelope(bytes, outline))
  const parse = () => (outline.list ? parseEvents(bytes, outline.events) : request.events)
  const { token, events } = resolveToken(source.token ?? request.token, parse, format.findToken)
  const rules = yield { token }
  const converter = createEventConverter(source, request, rules, places)
  let slice: EventRow[] = []
  let length = 0
  for (const raw of events()) {
    const event = converter.convert(raw, toRow)
    if (!event) continue
    slice.push(event)
    length += event.properties.length + (event.fullProperties?.length ?? 0)
    if (slice.length < MAX_SLICE_EVENTS && length < MAX_SLICE_LENGTH) continue
    yield { events: packEvents(slice) }
    slice = []
    length = 0
  }
  if (slice.length > 0) yield { events: packEvents(slice) }
  return converter.conclude()
}

const toRow = (event: NewEvent): EventRow => toEventRow(NO_PROJECT, event)

/** Parses everything around the list of events. */
function parseEnvelope(bytes: Buffer, { list }: Outline): unknown {
  if (!list) {
    requireFewParts(bytes)
    return parseJson(bytes)
  }
  const emptyList = Buffer.from([OPEN_LIST, bytes[list.to - 1] as number])
  const parts = [bytes.subarray(0, list.from), emptyList, bytes.subarray(list.to)]
  const envelope = Buffer.concat(parts)
  requireFewParts(envelope)
  return parseJson(envelope)
}

function* parseEvents(bytes: Buffer, ranges: readonly ByteRange[]): Generator<unknown> {
  for (const { from, to } of ranges) yield parseJson(bytes.subarray(from, to))
}
