import type { NewEvent } from '../shared/delivery.ts'
import { toEventId } from '../shared/event-id.ts'
import { toDistinctId, toEventName } from '../shared/identity.ts'
import { isDeeper } from '../shared/paths.ts'
import { TIME_FORMS, toTimestamp } from '../shared/times.ts'
import type { TableRow } from './batches.ts'
import type { TableColumn } from './table.ts'
import { toValue } from './values.ts'

export interface Mapping {
  readonly event: string
  readonly distinctIdColumn: string
  /** Empty: the time of the import. */
  readonly timestampColumn: string
}

/** Less than the event store takes. */
const DEEPEST = 60

/** An event, or what is wrong with the row. */
export type Mapped = NewEvent | string

/** A row is the same event as long as all it holds is the same, unless the settings give it another meaning. */
export function createMapper(
  columns: readonly TableColumn[],
  mapping: Mapping,
  source: string,
): (row: TableRow) => Mapped {
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name)
  const event = indexOf(mapping.event)
  const person = indexOf(mapping.distinctIdColumn)
  const time = mapping.timestampColumn === '' ? -1 : indexOf(mapping.timestampColumn)
  const identity = JSON.stringify([source, Object.values(mapping)])

  return ({ values }) => {
    const distinctId = toDistinctId(values[person])
    if (!distinctId) return `has no person id in "${mapping.distinctIdColumn}".`
    const timestamp = time < 0 ? undefined : toTimestamp(values[time])
    if (time >= 0 && !timestamp)
      return `has no time in "${mapping.timestampColumn}" (${TIME_FORMS}).`
    const name = event < 0 ? mapping.event : toEventName(values[event])
    if (!name) return `has no event name in "${mapping.event}".`
    const properties: Record<string, unknown> = {}
    for (const [index, column] of columns.entries()) {
      if (index === event || index === person || index === time) continue
      const value = toValue(values[index], column)
      if (value !== undefined) properties[column.name] = value
    }
    if (isDeeper(properties, DEEPEST)) return `holds JSON more than ${DEEPEST} levels deep.`
    return {
      uuid: toEventId(`${identity}\n${JSON.stringify(values)}`),
      event: name,
      distinct_id: distinctId,
      timestamp,
      properties,
    }
  }
}
