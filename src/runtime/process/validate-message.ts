import { isObject } from '#model/json.ts'
import { BrokenFrame } from './frames.ts'
import type { CaptureBatch, FromApp } from './protocol.ts'

type Fields = Record<string, unknown>

const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
const isStreamId = (value: unknown): boolean => isCount(value) && Number(value) < 2 ** 32

const LOG_TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR']

const VALIDATORS: Readonly<Record<FromApp['t'], (message: Fields) => boolean>> = {
  ready: () => true,
  result: ({ id }) => isCount(id),
  failure: ({ id, error }) =>
    isCount(id) &&
    isObject(error) &&
    isText(error.name) &&
    isText(error.message) &&
    isText(error.stack) &&
    typeof error.retry === 'boolean',
  call: ({ id, name, args }) => isStreamId(id) && isText(name) && Array.isArray(args),
  log: ({ type, message }) => isText(type) && LOG_TYPES.includes(type) && isText(message),
  uncaught: ({ message }) => isText(message),
  progress: ({ done, total, message }) =>
    Number.isFinite(done) && (total === null || Number.isFinite(total)) && isText(message),
  credit: ({ stream, bytes }) => isStreamId(stream) && isCount(bytes),
  end: ({ stream }) => isStreamId(stream),
  abort: ({ stream, message }) => isStreamId(stream) && isText(message),
}

/** Parses and validates a message of an app's process. Throws a `BrokenFrame`. */
export function readMessage(content: Buffer): FromApp {
  const message = parse(content)
  const kind = isObject(message) ? message.t : undefined
  if (!isText(kind) || !Object.hasOwn(VALIDATORS, kind)) throw new BrokenFrame('an unknown message')
  if (!VALIDATORS[kind as FromApp['t']](message as Fields))
    throw new BrokenFrame(`an invalid ${kind}`)
  return message as FromApp
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIME = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Parses and validates a batch of events. Throws a `BrokenFrame`. */
export function readCaptures(content: Buffer): CaptureBatch {
  const batch = parse(content)
  if (!isObject(batch) || !isStreamId(batch.id) || !Array.isArray(batch.events)) {
    throw new BrokenFrame('an invalid batch of events')
  }
  if (!batch.events.every(isEvent)) throw new BrokenFrame('an invalid event')
  return batch as unknown as CaptureBatch
}

const isEvent = (event: unknown): boolean =>
  isObject(event) &&
  isText(event.event) &&
  isText(event.distinct_id) &&
  isText(event.timestamp) &&
  TIME.test(event.timestamp) &&
  (event.uuid === undefined || (isText(event.uuid) && UUID.test(event.uuid))) &&
  isObject(event.properties)

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch {
    throw new BrokenFrame('invalid JSON')
  }
}
