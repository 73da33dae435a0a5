/** The thread behind `converter.ts`, which converts bodies in slices, one per message. */
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { PackedEvents } from '#server/analytics/event-batch.ts'
import { ApiError } from '#server/errors.ts'
import { type Conversion, type ConversionTask, convertBody } from './convert.ts'

export interface ThreadRequest {
  readonly id: number
  /** The body, in the first message of a conversion. */
  readonly task?: ConversionTask
}

export interface ThreadError {
  readonly code: ApiError['code']
  readonly detail: string
  readonly attr: string | null
}

/** The next slice, or the end. */
export interface ThreadResponse {
  readonly id: number
  readonly events?: PackedEvents
  /** Undefined at the end: the body is larger than allowed. */
  readonly conclusion?: { readonly token: unknown; readonly problem: ThreadError | undefined }
  readonly error?: ThreadError
}

const port = parentPort as MessagePort
const conversions = new Map<number, Conversion>()

port.on('message', ({ id, task }: ThreadRequest) => {
  if (task) conversions.set(id, convertBody(task))
  const response = advance(conversions.get(id) as Conversion)
  if (!response.events) conversions.delete(id)
  port.postMessage({ id, ...response }, response.events ? [response.events.bytes.buffer] : [])
})

function advance(conversion: Conversion): Omit<ThreadResponse, 'id'> {
  try {
    const { done, value } = conversion.next()
    if (!done) return { events: value }
    if (!value) return {}
    const { token, problem } = value
    return { conclusion: { token, problem: problem && toThreadError(problem) } }
  } catch (error) {
    if (error instanceof ApiError) return { error: toThreadError(error) }
    throw error
  }
}

const toThreadError = ({ code, message, attr }: ApiError): ThreadError => ({
  code,
  detail: message,
  attr,
})
