import { toEventLabel } from '../names/event-label.ts'
import type { EventsNode } from './common.schema.ts'

const ALL = 'All events'

export const ALL_EVENTS: EventsNode = { kind: 'EventsNode', event: null, name: ALL }

export const toEventsNode = (event: string | null): EventsNode =>
  event === null ? ALL_EVENTS : { kind: 'EventsNode', event, name: event }

/** Returns the name that the user gave, or the label of the event. */
export const toEventsNodeLabel = ({
  custom_name,
  event,
  ...node
}: Pick<EventsNode, 'custom_name' | 'event' | 'kind' | 'id' | 'name'>): string => {
  if (custom_name) return custom_name
  if (isActionsNode(node)) return node.name || 'Action'
  return event ? toEventLabel(event) : ALL
}

export const isActionsNode = ({ kind }: Pick<EventsNode, 'kind'>): boolean => kind === 'ActionsNode'

export const toActionsNode = ({ id, name }: { readonly id: number; readonly name: string }) =>
  ({ kind: 'ActionsNode', id, name }) as const satisfies EventsNode

export const withoutMath = ({ math: _, math_property: __, ...node }: EventsNode): EventsNode => node

/** The dates of a new insight. */
export const LAST_30_DAYS = { date_from: '-30d' }
