import type { IncomingMessage } from 'node:http'
import type { EventStore, NewEvent } from '#server/analytics/event-store.ts'
import { ApiError, invalid } from '#server/errors.ts'
import {
  HEAD_BYTES,
  hasFormData,
  MAX_BEFORE_TOKEN,
  MAX_BODY,
  maxUnpacked,
  parseJson,
  releaseMemory,
  unpackBody,
} from './body.ts'
import { type Converter, withinMemory } from './converter.ts'
import { findEarlyToken } from './early-token.ts'
import { toFormat } from './format.ts'
import { requireFewEvents } from './outline.ts'
import type { ProjectTokens } from './project-tokens.ts'
import { type Receiver, tooLarge } from './receive.ts'
import { toClock, toPath } from './request.ts'
import { addResult, attempt, type EventResults } from './results.ts'
import type { Sender } from './sender.ts'

export interface CaptureDeps {
  readonly store: EventStore
  readonly projects: ProjectTokens
  readonly receiver: Receiver
  readonly converter: Converter
}

/** Stores all events of a request or none, unless the format reports the outcome of each. */
export function captureEvents(
  deps: CaptureDeps,
  sender: Sender,
  stream: IncomingMessage,
): Promise<EventResults | undefined> {
  const checkHead = (head: Buffer) => maxBytesOf(deps.projects, sender, head)
  return deps.receiver.receive(stream, checkHead, async (body, maxBytes) => {
    const isSmall = body.length <= HEAD_BYTES
    const json = isSmall ? unpackBody(body, HEAD_BYTES, sender.encoding) : undefined
    if (json) return captureSmall(deps, sender, json)
    if (maxBytes !== undefined) return captureLarge(deps, sender, body, maxBytes)
    return captureLarge(deps, sender, new Uint8Array(body), await checkHead(body))
  })
}

/** Captures the events in a URL, whose query is a form. */
export async function captureFromUrl(
  deps: CaptureDeps,
  sender: Sender,
  query: string,
): Promise<void> {
  const form = hasFormData(query) ? query : '{}'
  const json = unpackBody(Buffer.from(form), HEAD_BYTES, sender.encoding)
  if (!json) throw new ApiError('request_too_large', 'The events in the URL are larger than 64 kB.')
  await captureSmall(deps, sender, json)
}

/** Refuses senders without a valid token, and lets the others send more. */
async function maxBytesOf(
  projects: ProjectTokens,
  { address, format, token: ownToken, encoding }: Sender,
  head: Buffer,
): Promise<number> {
  const { token, isFinal } =
    ownToken === undefined
      ? await findEarlyToken(head, toFormat(format).findToken, encoding)
      : { token: ownToken, isFinal: true }
  if (isFinal) await projects.require(token, address)
  else if ((await projects.find(token, address)) === undefined) return MAX_BEFORE_TOKEN
  return MAX_BODY
}

async function captureSmall(
  { store, projects }: CaptureDeps,
  sender: Sender,
  json: Buffer,
): Promise<EventResults | undefined> {
  const format = toFormat(sender.format)
  if (sender.token !== undefined) await projects.require(sender.token, sender.address)
  const { events, field, token, sentAt } = format.parseRequest(parseJson(json))
  const { projectId, rules } = await projects.require(sender.token ?? token, sender.address)
  if (events.length === 0) throw invalid(field || null, 'This list may not be empty.')
  requireFewEvents(events.length)
  const context = { ...toClock(sentAt, sender.clientTime), library: sender.library, ...rules }
  const convert = (raw: unknown, index: number) =>
    format.toNewEvent(raw, toPath(field, index), context)
  const results: EventResults | undefined = format.reportsEach ? new Map() : undefined
  const newEvents = results ? convertEach(events, convert, results) : events.map(convert)
  const stored = store.append(projectId, newEvents)
  return stored.then(() => results) // not awaited here, or the body would stay in memory until the commit
}

/** Converts the valid events and records the outcome of all. */
function convertEach(
  raws: readonly unknown[],
  convert: (raw: unknown, index: number) => NewEvent,
  results: EventResults,
): NewEvent[] {
  const events: NewEvent[] = []
  for (const [index, raw] of raws.entries()) {
    const refusal = attempt(() => void events.push(convert(raw, index)))
    addResult(results, raw, refusal)
  }
  return events
}

/** Converts in another thread, which takes over the body's memory, because it may take a second. */
function captureLarge(
  { store, projects, converter }: CaptureDeps,
  sender: Sender,
  body: Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Promise<EventResults | undefined> {
  const unpacked = Math.min(maxUnpacked(body, sender.encoding), maxBytes)
  return withinMemory(unpacked, async () => {
    let projectId = 0
    const converted = await converter.convert({ body, maxBytes, sender }, async (token) => {
      const project = await projects.require(token, sender.address)
      projectId = project.projectId
      return project.rules
    })
    if (!converted) throw tooLarge(maxBytes, ' uncompressed')
    const { problem, results, events } = converted
    try {
      if (problem) throw problem
      await store.appendPacked(projectId, events)
      return results
    } finally {
      for (const { bytes } of events) releaseMemory(bytes)
    }
  })
}
