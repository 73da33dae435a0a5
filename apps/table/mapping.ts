import type { NewEvent } from '../shared/delivery.ts'
import { toEventId } from '../shared/event-id.ts'
import { toDistinctId, toEventName } from '../shared/identity.ts'
import { isDeeper } from '../shared/paths.ts'
import { describeBadDate, toTimestamp } from '../shared/times.ts'
import type { Table, TableColumn, TableRow } from './table.ts'

export interface Mapping {
  readonly event: string
  readonly distinctIdColumn: string
  /** Empty for the time of the import. */
  readonly timestampColumn: string
  /** Empty: rows are compared by content. */
  readonly keyColumns: readonly string[]
  /** Become properties of the person too. */
  readonly personColumns: readonly string[]
}

/** Less than the limit of the event store. */
const MAX_DEPTH = 60

/** An event, or the problem with the row. */
export type Mapped = NewEvent | string

/**
 * Gives rows with the same content the same ID, unless the mapping has changed. With a key, a version of a row is known
 * by its key and its cursor, so a new column of the table imports no version again.
 */
export function createMapper(
  { toValue }: Pick<Table, 'toValue'>,
  columns: readonly TableColumn[],
  mapping: Mapping,
  source: string,
): (row: TableRow) => Mapped {
  const findIndex = (name: string) => columns.findIndex((column) => column.name === name)
  const event = findIndex(mapping.event)
  const person = findIndex(mapping.distinctIdColumn)
  const time = mapping.timestampColumn === '' ? -1 : findIndex(mapping.timestampColumn)
  const keys = mapping.keyColumns.map(findIndex)
  const { event: name, distinctIdColumn, timestampColumn } = mapping
  const identity = JSON.stringify([source, name, distinctIdColumn, timestampColumn])
  const toVersion = ({ values, place }: TableRow) =>
    keys.length === 0 ? values : [...keys.map((index) => values[index]), { at: place.cursor }]

  return (row) => {
    const { values } = row
    const distinctId = toDistinctId(values[person])
    if (!distinctId) return `no person ID in "${mapping.distinctIdColumn}".`
    const timestamp = time < 0 ? undefined : toTimestamp(values[time])
    if (time >= 0 && !timestamp) return describeBadDate(values[time], mapping.timestampColumn)
    const name = event < 0 ? mapping.event : toEventName(values[event])
    if (!name) return `no event name in "${mapping.event}".`
    const properties: Record<string, unknown> = {}
    const ofPerson: Record<string, unknown> = {}
    for (const [index, column] of columns.entries()) {
      if (index === event || index === person || index === time) continue
      const value = toValue(values[index], column)
      if (value !== undefined) properties[column.name] = value
      // null too, so that a value that was removed does not stay with the person
      if (mapping.personColumns.includes(column.name)) ofPerson[column.name] = value ?? null
    }
    if (mapping.personColumns.length > 0) properties.$set = ofPerson
    if (isDeeper(properties, MAX_DEPTH)) return `JSON nested more than ${MAX_DEPTH} levels deep.`
    return {
      uuid: toEventId(`${identity}\n${JSON.stringify(toVersion(row))}`),
      event: name,
      distinct_id: distinctId,
      timestamp,
      properties,
    }
  }
}
