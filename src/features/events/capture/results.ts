import { isObject } from '#model/json.ts'
import { ApiError } from '#server/errors.ts'

export interface EventResult {
  readonly result: 'ok' | 'drop'
  readonly details?: string
}

/** The outcome of each event by its UUID, in the protocol that reports it. */
export type EventResults = Map<string, EventResult>

/** Longer ones are not UUIDs, and a response should not repeat them. */
const MAX_UUID_LENGTH = 100

/** Records the outcome of an event. One without a UUID cannot be named. */
export function addResult(results: EventResults, raw: unknown, refusal?: ApiError): void {
  const uuid = isObject(raw) ? raw.uuid : undefined
  if (typeof uuid !== 'string' || uuid.length > MAX_UUID_LENGTH) return
  results.set(uuid, refusal ? { result: 'drop', details: toDetails(refusal) } : { result: 'ok' })
}

const toDetails = ({ attr, message }: ApiError): string => (attr ? `${attr}: ${message}` : message)

/** Returns the reason why a task is refused, if it is. */
export function attempt(task: () => void): ApiError | undefined {
  try {
    task()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
