import { toPlainAddress } from '#server/access/network.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'
import { ApiError, invalid } from '#server/errors.ts'
import type { Places } from '#server/geoip/places.ts'
import { toFormat } from './format.ts'
import { addOutcome, type Outcomes } from './outcomes.ts'
import { createPlaceFinder } from './place-finder.ts'
import type { ProjectRules } from './project-tokens.ts'
import { type CaptureRequest, toClock, toPath } from './request.ts'
import type { CaptureSource } from './source.ts'

/** The outcome of a conversion, besides the events. */
export interface Conclusion {
  /** The reason why the events cannot be stored. */
  readonly problem: ApiError | undefined
  readonly outcomes: Outcomes | undefined
}

/** Converts the events of one request in order. */
export function createEventConverter(
  source: CaptureSource,
  { field, sentAt }: Pick<CaptureRequest, 'field' | 'sentAt'>,
  rules: ProjectRules | undefined,
  places: Places,
) {
  const format = toFormat(source.format)
  const context = {
    ...toClock(sentAt, source.clientTime),
    library: source.library,
    findPlace: createPlaceFinder(places, toPlainAddress(source.address)),
    ...rules,
  }
  const outcomes: Outcomes | undefined = format.reportsEach ? new Map() : undefined
  let index = 0
  let problem: ApiError | undefined
  return {
    /** Returns undefined if the event or an earlier one is refused. */
    convert<T>(raw: unknown, prepare: (event: NewEvent) => T): T | undefined {
      const path = toPath(field, index++)
      if (problem) return undefined
      try {
        const event = prepare(format.toNewEvent(raw, path, context))
        if (outcomes) addOutcome(outcomes, raw)
        return event
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (outcomes) addOutcome(outcomes, raw, error)
        else problem = error
        return undefined
      }
    },
    conclude(): Conclusion {
      if (index === 0) problem = invalid(field || null, 'This list may not be empty.')
      return { problem, outcomes }
    },
  }
}
