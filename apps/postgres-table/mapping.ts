import type { NewEvent } from '../shared/delivery.ts'
import { toEventId } from '../shared/event-id.ts'
import { toDistinctId, toEventName } from '../shared/identity.ts'
import { isDeeper } from '../shared/paths.ts'
import { describeBadDate, toTimestamp } from '../shared/times.ts'
import type { TableRow } from './batches.ts'
import type { TableColumn } from './table.ts'
import { toValue } from './values.ts'

export interface Mapping {
  readonly event: string
  readonly distinctIdColumn: string
  /** Empty for the time of the import. */
  readonly timestampColumn: string
}

/** Less than the limit of the event store. */
const MAX_DEPTH = 60

/** An event, or the problem with the row. */
export type Mapped = NewEvent | string

/** Gives rows with the same content the same ID, unless the mapping has changed. */
export function createMapper(
  columns: readonly TableColumn[],
  mapping: Mapping,
  source: string,
): (row: TableRow) => Mapped {
  const findIndex = (name: string) => columns.findIndex((column) => column.name === name)
  const event = findIndex(mapping.event)
  const person = findIndex(mapping.distinctIdColumn)
  const time = mapping.timestampColumn === '' ? -1 : findIndex(mapping.timestampColumn)
  const identity = JSON.stringify([source, Object.values(mapping)])

  return ({ values }) => {
    const distinctId = toDistinctId(values[person])
    if (!distinctId) return `no person ID in "${mapping.distinctIdColumn}".`
    const timestamp = time < 0 ? undefined : toTimestamp(values[time])
    if (time >= 0 && !timestamp) return describeBadDate(values[time], mapping.timestampColumn)
    const name = event < 0 ? mapping.event : toEventName(values[event])
    if (!name) return `no event name in "${mapping.event}".`
    const properties: Record<string, unknown> = {}
    for (const [index, column] of columns.entries()) {
      if (index === event || index === person || index === time) continue
      const value = toValue(values[index], column)
      if (value !== undefined) properties[column.name] = value
    }
    if (isDeeper(properties, MAX_DEPTH)) return `JSON nested more than ${MAX_DEPTH} levels deep.`
    return {
      uuid: toEventId(`${identity}\n${JSON.stringify(values)}`),
      event: name,
      distinct_id: distinctId,
      timestamp,
      properties,
    }
  }
}
