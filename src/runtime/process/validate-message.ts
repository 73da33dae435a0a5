import { BrokenFrame } from './frames.ts'
import type { CaptureBatch, FromApp } from './protocol.ts'

type Fields = Record<string, unknown>

const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
const isStream = (value: unknown): boolean => isCount(value) && Number(value) < 2 ** 32
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const CHECKS: Readonly<Record<FromApp['t'], (message: Fields) => boolean>> = {
  ready: () => true,
  result: ({ id }) => isCount(id),
  failure: ({ id, error }) =>
    isCount(id) &&
    isObject(error) &&
    isText(error.name) &&
    isText(error.message) &&
    isText(error.stack) &&
    typeof error.retry === 'boolean',
  call: ({ id, name, args }) => isStream(id) && isText(name) && Array.isArray(args),
  log: ({ type, message }) => isText(type) && LOG_TYPES.includes(type) && isText(message),
  problem: ({ message }) => isText(message),
  progress: ({ done, total, message }) =>
    Number.isFinite(done) && (total === null || Number.isFinite(total)) && isText(message),
  credit: ({ stream, bytes }) => isStream(stream) && isCount(bytes),
  end: ({ stream }) => isStream(stream),
  abort: ({ stream, message }) => isStream(stream) && isText(message),
}

const LOG_TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR']

/** Nothing that an app's process says is believed before it was looked at. Throws a `BrokenFrame`. */
export function readMessage(content: Buffer): FromApp {
  const message = parse(content)
  const kind = isObject(message) ? message.t : undefined
  if (!isText(kind) || !Object.hasOwn(CHECKS, kind)) throw new BrokenFrame('an unknown message')
  if (!CHECKS[kind as FromApp['t']](message as Fields)) throw new BrokenFrame(`a wrong ${kind}`)
  return message as FromApp
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIME = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export function readCaptures(content: Buffer): CaptureBatch {
  const batch = parse(content)
  if (!isObject(batch) || !isStream(batch.id) || !Array.isArray(batch.events)) {
    throw new BrokenFrame('a wrong batch of events')
  }
  if (!batch.events.every(isEvent)) throw new BrokenFrame('a wrong event')
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
    throw new BrokenFrame('something that is not JSON')
  }
}
