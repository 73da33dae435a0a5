import { isObject } from '#model/json.ts'
import { findPartEnd } from '#server/json-scan.ts'
import { BrokenFrame } from './frames.ts'
import { type AppError, type FromApp, MAX_MESSAGE_VALUES } from './protocol.ts'

type Fields = Record<string, unknown>

const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
const isStreamId = (value: unknown): boolean => isCount(value) && Number(value) < 2 ** 32

const LOG_TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR']

export const isAppError = (error: unknown): error is AppError =>
  isObject(error) &&
  isText(error.name) &&
  isText(error.message) &&
  isText(error.stack) &&
  typeof error.retry === 'boolean' &&
  typeof error.temporary === 'boolean'

const VALIDATORS: Readonly<Record<FromApp['t'], (message: Fields) => boolean>> = {
  ready: () => true,
  started: () => true,
  result: ({ id }) => isCount(id),
  failure: ({ id, error }) => isCount(id) && isAppError(error),
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

function parse(content: Buffer): unknown {
  const end = findPartEnd(content, 0, MAX_MESSAGE_VALUES)
  if (end === 'too deep') throw new BrokenFrame('a message that is nested too deep')
  if (end === 'too many values') throw new BrokenFrame('a message of too many values')
  try {
    return JSON.parse(content.toString('utf8'))
  } catch {
    throw new BrokenFrame('invalid JSON')
  }
}
