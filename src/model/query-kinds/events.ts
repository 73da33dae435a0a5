import type { EventsNode } from './common.schema.ts'

export const ALL_EVENTS: EventsNode = { kind: 'EventsNode', event: null, name: 'All events' }

export const toEventsNode = (event: string | null): EventsNode =>
  event === null ? ALL_EVENTS : { kind: 'EventsNode', event, name: event }

export const withoutMath = ({ math: _, math_property: __, ...node }: EventsNode): EventsNode => node

/** The dates of a new insight. */
export const LAST_30_DAYS = { date_from: '-30d' }
