import type { IncomingMessage } from 'node:http'
import type { EventStore, NewEvent } from '#server/analytics/event-store.ts'
import { ApiError } from '#server/errors.ts'
import type { Places } from '#server/geoip/places.ts'
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
import { createEventConverter } from './convert-event.ts'
import { type Converter, withinMemory } from './converter.ts'
import { findEarlyToken } from './early-token.ts'
import { toFormat } from './format.ts'
import type { Outcomes } from './outcomes.ts'
import { requireFewEvents } from './outline.ts'
import type { ProjectTokens } from './project-tokens.ts'
import { type Receiver, tooLarge } from './receive.ts'
import { resolveToken } from './request.ts'
import type { CaptureSource } from './source.ts'

export interface CaptureDeps {
  readonly store: EventStore
  readonly projects: ProjectTokens
  readonly receiver: Receiver
  readonly converter: Converter
  readonly places: Places
}

/** Stores all events of a request or none, unless the format reports the outcome of each. */
export function captureEvents(
  deps: CaptureDeps,
  source: CaptureSource,
  stream: IncomingMessage,
): Promise<Outcomes | undefined> {
  const checkHead = (head: Buffer) => findMaxBytes(deps.projects, source, head)
  return deps.receiver.receive(stream, checkHead, async (body, maxBytes) => {
    const isSmall = body.length <= HEAD_BYTES
    const json = isSmall ? unpackBody(body, HEAD_BYTES, source.encoding) : undefined
    if (json) return captureSmall(deps, source, json)
    if (maxBytes !== undefined) return captureLarge(deps, source, body, maxBytes)
    return captureLarge(deps, source, new Uint8Array(body), await checkHead(body))
  })
}

/** Captures events from a form-encoded query string. */
export async function captureFromUrl(
  deps: CaptureDeps,
  source: CaptureSource,
  query: string,
): Promise<void> {
  const form = hasFormData(query) ? query : '{}'
  const json = unpackBody(Buffer.from(form), HEAD_BYTES, source.encoding)
  if (!json) throw new ApiError('request_too_large', 'The events in the URL are larger than 64 kB.')
  await captureSmall(deps, source, json)
}

/** Refuses clients without a valid token, and lets the others send more. */
async function findMaxBytes(
  projects: ProjectTokens,
  { address, format, token: ownToken, encoding }: CaptureSource,
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
  { store, projects, places }: CaptureDeps,
  source: CaptureSource,
  json: Buffer,
): Promise<Outcomes | undefined> {
  const { token: ownToken, address } = source
  if (ownToken !== undefined) await projects.require(ownToken, address)
  const { parseRequest, findToken } = toFormat(source.format)
  const request = parseRequest(parseJson(json))
  const own = ownToken ?? request.token
  const { token, events: raws } = resolveToken(own, () => request.events, findToken)
  const { projectId, rules } = await projects.require(token, address)
  requireFewEvents(request.events.length)
  const converter = createEventConverter(source, request, rules, places)
  const events: NewEvent[] = []
  for (const raw of raws()) {
    const event = converter.convert(raw, asIs)
    if (event) events.push(event)
  }
  const { problem, outcomes } = converter.conclude()
  if (problem) throw problem
  const stored = store.append(projectId, events)
  return stored.then(() => outcomes) // not awaited here, or the body would stay in memory until the commit
}

const asIs = (event: NewEvent): NewEvent => event

/** Converts in another thread, which takes over the body's memory, because it may take a second. */
function captureLarge(
  { store, projects, converter }: CaptureDeps,
  source: CaptureSource,
  body: Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Promise<Outcomes | undefined> {
  const unpacked = Math.min(maxUnpacked(body, source.encoding), maxBytes)
  return withinMemory(unpacked, async () => {
    let projectId = 0
    const converted = await converter.convert({ body, maxBytes, source }, async (token) => {
      const project = await projects.require(token, source.address)
      projectId = project.projectId
      return project.rules
    })
    if (!converted) throw tooLarge(maxBytes, ' uncompressed')
    const { problem, outcomes, events } = converted
    try {
      if (problem) throw problem
      await store.appendPacked(projectId, events)
      return outcomes
    } finally {
      for (const { bytes } of events) releaseMemory(bytes)
    }
  })
}
