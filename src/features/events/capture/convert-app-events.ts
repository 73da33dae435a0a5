import type { PackedEvents } from '#server/analytics/event-batch.ts'
import { ApiError } from '#server/errors.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { releaseMemory } from './body.ts'
import { type Converter, withinMemory } from './converter.ts'
import type { CaptureSource } from './source.ts'

/** The source of an app's events: the token of its project is known. */
const APP: CaptureSource = { address: '', clientTime: undefined, format: 'app', token: '' }

/**
 * Converts a large batch of an app's events in another thread, and passes them on. Takes over the memory of the bytes.
 * Throws an `AppProblem` for events that are refused.
 */
export function convertAppEvents<T>(
  converter: Converter,
  body: Uint8Array<ArrayBuffer>,
  use: (events: readonly PackedEvents[]) => Promise<T>,
): Promise<T> {
  const maxBytes = body.length
  return withinMemory(maxBytes, async () => {
    const events = await convert(converter, { body, maxBytes, source: APP })
    try {
      return await use(events)
    } finally {
      for (const { bytes } of events) releaseMemory(bytes)
    }
  })
}

async function convert(
  converter: Converter,
  task: Parameters<Converter['convert']>[0],
): Promise<readonly PackedEvents[]> {
  try {
    const converted = await converter.convert(task, async () => ({ ip: undefined }))
    if (!converted) throw new AppProblem('The events are too large.')
    if (converted.problem) throw converted.problem
    return converted.events
  } catch (error) {
    throw error instanceof ApiError ? new AppProblem(error.message) : error
  }
}
