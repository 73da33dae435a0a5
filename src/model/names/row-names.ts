import { toEventLabel, toValueLabel } from './event-label.ts'

/** Names the events and the values of properties in a table. */
export interface RowNames {
  event(name: string): string
  value(value: string): string
}

const asItIs = (name: string): string => name

/** For files, which other programs read. */
export const STORED: RowNames = { event: asItIs, value: asItIs }

/** For tables on a page, which people read. */
export const SHOWN: RowNames = { event: toEventLabel, value: toValueLabel }
