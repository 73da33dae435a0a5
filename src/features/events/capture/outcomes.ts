import { isObject } from '#model/json.ts'
import type { ApiError } from '#server/errors.ts'

export interface Outcome {
  readonly result: 'ok' | 'drop'
  readonly details?: string
}

/** The outcome of each event by its UUID, in the protocol that reports it. */
export type Outcomes = Map<string, Outcome>

/** Longer ones are not UUIDs, and a response should not repeat them. */
const MAX_UUID_LENGTH = 100

/** Records the outcome of an event. One without a UUID cannot be named. */
export function addOutcome(outcomes: Outcomes, raw: unknown, refusal?: ApiError): void {
  const uuid = isObject(raw) ? raw.uuid : undefined
  if (typeof uuid !== 'string' || uuid.length > MAX_UUID_LENGTH) return
  outcomes.set(uuid, refusal ? { result: 'drop', details: toDetails(refusal) } : { result: 'ok' })
}

const toDetails = ({ attr, message }: ApiError): string => (attr ? `${attr}: ${message}` : message)
