import type { NewEvent } from '#server/analytics/event-store.ts'
import { invalid } from '#server/errors.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { toCapturedEvent } from '#server/runtime/host/captured-event.ts'
import { BrokenFrame } from '#server/runtime/wire/frames.ts'
import type { CaptureRequest } from './request.ts'

/** Parses a batch of an import app, which is a list of events. */
export function parseAppEvents(body: unknown): CaptureRequest {
  if (!Array.isArray(body)) throw invalid(null, 'Expected a list of events.')
  return { events: body, field: '', token: undefined, sentAt: undefined }
}

export function toAppEvent(raw: unknown): NewEvent {
  try {
    return toCapturedEvent(raw)
  } catch (error) {
    if (error instanceof AppProblem) throw invalid(null, error.message)
    if (error instanceof BrokenFrame) throw invalid(null, `The app sent ${error.message}.`)
    throw error
  }
}
