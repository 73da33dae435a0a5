import { toPropertiesText } from '#server/analytics/properties-text.ts'
import type { TestApp } from '../app/app.ts'
import { newEvent } from './events.ts'

export const PERSONS = 'persons'

export interface Doing {
  readonly event?: string
  readonly timestamp?: string
  readonly [property: string]: unknown
}

/** Returns an event of a distinct ID with properties. */
export const doing = (distinct_id: string, { event, timestamp, ...properties }: Doing = {}) =>
  newEvent({
    distinct_id,
    ...(event && { event }),
    ...(timestamp && { timestamp }),
    properties: toPropertiesText(properties),
  })

/** Returns an event that sets properties of the ID's person. */
export const setting = (distinct_id: string, $set: object, timestamp?: string) =>
  doing(distinct_id, { event: '$set', $set, ...(timestamp && { timestamp }) })

/** Returns an event that merges the person of `anonymousId` into that of `distinct_id`. */
export const signingIn = (distinct_id: string, anonymousId: string, $set: object = {}) =>
  doing(distinct_id, { event: '$identify', $anon_distinct_id: anonymousId, $set })

export const addEvents = (
  api: Pick<TestApp, 'services' | 'projectId'>,
  ...events: ReturnType<typeof newEvent>[]
) => api.services.events.append(api.projectId, events)
