import { PARTS, toPartName } from './box-plot.ts'
import type { EventsNode } from './query-kinds/common.schema.ts'
import { toEventsNodeLabel } from './query-kinds/events.ts'

/** Returns the series that compute the boxes of the values of a property. */
export const toBoxNodes = (node: EventsNode): EventsNode[] =>
  PARTS.map(([math, part]) => ({
    ...node,
    math,
    custom_name: toPartName(toEventsNodeLabel(node), part),
  }))
