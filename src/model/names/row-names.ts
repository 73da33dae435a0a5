import { shownValue, storedValue, type Valued } from '../series-names.ts'
import { toEventLabel, toValueLabel } from './event-label.ts'

/** Names the events and the values of properties in a table. */
export interface RowNames {
  event(name: string): string
  value(value: string): string
  /** Returns the value of a breakdown; undefined without one. */
  ofBreakdown(valued: Valued): string | undefined
}

const asItIs = (name: string): string => name

/** For files, which other programs read. */
export const STORED: RowNames = { event: asItIs, value: asItIs, ofBreakdown: storedValue }

/** For tables on a page, which people read. */
export const SHOWN: RowNames = {
  event: toEventLabel,
  value: toValueLabel,
  ofBreakdown: (valued) => nameValue(shownValue(valued)),
}

const nameValue = (value: string | undefined) => value && toValueLabel(value)
