/** The thread behind `converter.ts`, which converts bodies in slices, one per message. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { ApiError } from '#server/errors.ts'
import { createPlaces } from '#server/geoip/places.ts'
import {
  type Conversion,
  type ConversionStep,
  type ConversionTask,
  convertBody,
} from './convert.ts'
import type { Outcomes } from './outcomes.ts'
import type { ProjectRules } from './project-tokens.ts'

export interface ThreadRequest {
  readonly id: number
  /** The body, in the first message of a conversion. */
  readonly task?: ConversionTask
  /** In the second message: the response to the token. */
  readonly rules?: ProjectRules
  readonly isCanceled?: boolean
}

export interface ThreadError {
  readonly code: ApiError['code']
  readonly detail: string
  readonly attr: string | null
}

/** The next step, or the end. */
export interface ThreadResponse {
  readonly id: number
  readonly step?: ConversionStep
  /** Undefined at the end: the body is larger than allowed. */
  readonly conclusion?: {
    readonly problem: ThreadError | undefined
    readonly outcomes: Outcomes | undefined
  }
  readonly error?: ThreadError
}

const port = parentPort as MessagePort
const places = createPlaces(workerData)
const conversions = new Map<number, Conversion>()

port.on('message', ({ id, task, rules, isCanceled }: ThreadRequest) => {
  if (task) conversions.set(id, convertBody(task, places))
  const conversion = conversions.get(id) as Conversion
  const response = isCanceled ? cancel(conversion) : advance(conversion, rules)
  if (!response.step) conversions.delete(id)
  const { events } = response.step ?? {}
  port.postMessage({ id, ...response }, events ? [events.bytes.buffer] : [])
})

function advance(conversion: Conversion, rules?: ProjectRules): Omit<ThreadResponse, 'id'> {
  try {
    const { done, value } = conversion.next(rules)
    if (!done) return { step: value }
    if (!value) return {}
    const { problem, outcomes } = value
    return { conclusion: { problem: problem && toThreadError(problem), outcomes } }
  } catch (error) {
    if (error instanceof ApiError) return { error: toThreadError(error) }
    throw error
  }
}

/** Frees the memory of the body. */
function cancel(conversion: Conversion): Omit<ThreadResponse, 'id'> {
  conversion.return(undefined)
  return {}
}

const toThreadError = ({ code, message, attr }: ApiError): ThreadError => ({
  code,
  detail: message,
  attr,
})
