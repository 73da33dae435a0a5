import type { NewEvent } from '../shared/delivery.ts'
import { toEventId } from '../shared/event-id.ts'
import { toDistinctId, toEventName } from '../shared/identity.ts'
import { describeBadDate, toTimestamp } from '../shared/times.ts'
import { type Column, toValue } from './columns.ts'
import type { CsvRow } from './reader.ts'

export interface Mapping {
  readonly event: string
  readonly distinctIdColumn: string
  /** Empty for the time of the import. */
  readonly timestampColumn: string
}

/** An event, or the problem with the row. */
export type Mapped = NewEvent | string

/** Tells rows of a file apart. */
export type Identify = (row: CsvRow) => string

const byLine: Identify = ({ line, fields }) => `${line}\n${fields.join('\u001f')}`

/** Gives the same row, by default at the same line, of the same file the same ID, unless the mapping has changed. */
export function createMapper(
  columns: readonly Column[],
  mapping: Mapping,
  identity: string,
  identify: Identify = byLine,
): (row: CsvRow) => Mapped {
  const findIndex = (name: string) => columns.findIndex((column) => column.name === name)
  const event = findIndex(mapping.event)
  const person = requireColumn(columns, mapping.distinctIdColumn, 'Person column')
  const time =
    mapping.timestampColumn === ''
      ? -1
      : requireColumn(columns, mapping.timestampColumn, 'Time column', 'or leave it empty')
  const source = JSON.stringify([identity, Object.values(mapping)])
  const isProperty = columns.map((_, index) => ![event, person, time].includes(index))

  return (row) => {
    const { fields, problem } = row
    if (problem) return problem
    if (fields.length !== columns.length) {
      return `${fields.length} fields, but the header has ${columns.length}.`
    }
    const distinctId = toDistinctId(fields[person])
    if (!distinctId) return `no person ID in "${mapping.distinctIdColumn}".`
    const timestamp = time < 0 ? undefined : toTimestamp(fields[time])
    if (time >= 0 && !timestamp) return describeBadDate(fields[time], mapping.timestampColumn)
    const name = event < 0 ? mapping.event : toEventName(fields[event])
    if (!name) return `no event name in "${mapping.event}".`
    const properties: Record<string, unknown> = {}
    for (const [index, column] of columns.entries()) {
      const value = isProperty[index] ? toValue(fields[index] as string, column.type) : undefined
      if (value !== undefined) properties[column.name] = value
    }
    return {
      uuid: toEventId(`${source}\n${identify(row)}`),
      event: name,
      distinct_id: distinctId,
      timestamp,
      properties,
    }
  }
}

function requireColumn(
  columns: readonly Column[],
  columnName: string,
  setting: string,
  otherwise = '',
): number {
  const index = columns.findIndex(({ name }) => name === columnName)
  if (index >= 0) return index
  const names = columns.map(({ name }) => name).join(', ')
  const known = names.length > 500 ? `${names.slice(0, 500)}...` : names
  throw new Error(
    `The file has no column "${columnName}". Columns: ${known}. ` +
      `Set "${setting}" to one of them${otherwise && `, ${otherwise}`}.`,
  )
}
