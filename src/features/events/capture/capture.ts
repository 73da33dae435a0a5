import type { IncomingMessage } from 'node:http'
import type { EventStore } from '#server/analytics/event-store.ts'
import { createBudget } from '#server/concurrency.ts'
import { invalid } from '#server/errors.ts'
import {
  HEAD_BYTES,
  MAX_BEFORE_TOKEN,
  MAX_BODY,
  maxUnpacked,
  parseJson,
  releaseMemory,
  unpackBody,
} from './body.ts'
import type { Converter } from './converter.ts'
import { findEarlyToken } from './early-token.ts'
import { type FormatName, toFormat } from './format.ts'
import { requireFewEvents } from './outline.ts'
import type { ProjectTokens } from './project-tokens.ts'
import { type Receiver, tooLarge } from './receive.ts'
import { toClock, toPath } from './request.ts'

export interface CaptureDeps {
  readonly store: EventStore
  readonly projects: ProjectTokens
  readonly receiver: Receiver
  readonly converter: Converter
}

/** The origin of a request. */
export interface Sender {
  readonly address: string
  /** The time of sending that browsers put into the URL. */
  readonly clientTime: unknown
  readonly format: FormatName
  /** The token in the headers, which takes precedence over the body's. */
  readonly token?: string | undefined
}

/** Stores all events of a request or none. */
export async function captureEvents(
  deps: CaptureDeps,
  sender: Sender,
  stream: IncomingMessage,
): Promise<void> {
  const checkHead = (head: Buffer) => maxBytesOf(deps.projects, sender, head)
  await deps.receiver.receive(stream, checkHead, async (body, maxBytes) => {
    const json = body.length > HEAD_BYTES ? undefined : unpackBody(body, HEAD_BYTES)
    if (json) return captureSmall(deps, sender, json)
    if (maxBytes !== undefined) return captureLarge(deps, sender, body, maxBytes)
    return captureLarge(deps, sender, new Uint8Array(body), await checkHead(body))
  })
}

/** Refuses senders without a valid token, and lets the others send more. */
async function maxBytesOf(
  projects: ProjectTokens,
  { address, format, token: ownToken }: Sender,
  head: Buffer,
): Promise<number> {
  const { token, isFinal } =
    ownToken === undefined
      ? await findEarlyToken(head, toFormat(format).findToken)
      : { token: ownToken, isFinal: true }
  if (isFinal) await projects.require(token, address)
  else if ((await projects.find(token, address)) === undefined) return MAX_BEFORE_TOKEN
  return MAX_BODY
}

async function captureSmall(
  { store, projects }: CaptureDeps,
  { address, clientTime, format: name, token: ownToken }: Sender,
  json: Buffer,
): Promise<unknown> {
  const format = toFormat(name)
  const { events, field, token, sentAt } = format.parseRequest(parseJson(json))
  const projectId = await projects.require(ownToken ?? token, address)
  if (events.length === 0) throw invalid(field || null, 'This list may not be empty.')
  requireFewEvents(events.length)
  const clock = toClock(sentAt, clientTime)
  const newEvents = events.map((event, index) =>
    format.toNewEvent(event, toPath(field, index), clock),
  )
  return store.append(projectId, newEvents) // not awaited here, or the body would stay in memory until the commit
}

/** Converts in another thread, which takes over the body's memory, because it may take a second. */
async function captureLarge(
  { store, projects, converter }: CaptureDeps,
  { address, clientTime, format, token: ownToken }: Sender,
  body: Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Promise<void> {
  await withinMemory(Math.min(maxUnpacked(body), maxBytes), async () => {
    const converted = await converter.convert({ body, maxBytes, clientTime, format })
    if (!converted) throw tooLarge(maxBytes, ' uncompressed')
    const { token, problem, events } = converted
    try {
      const projectId = await projects.require(ownToken ?? token, address)
      if (problem) throw problem
      await store.appendPacked(projectId, events)
    } finally {
      for (const { bytes } of events) releaseMemory(bytes)
    }
  })
}

/** Bounds the memory of large bodies and their events: one of the largest at a time, or many smaller ones. */
const withinMemory = createBudget(MAX_BODY)
