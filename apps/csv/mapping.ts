import type { NewEvent } from '../shared/delivery.ts'
import { toEventId } from '../shared/event-id.ts'
import { toDistinctId, toEventName } from '../shared/identity.ts'
import { TIME_FORMS, toTimestamp } from '../shared/times.ts'
import { type Column, toValue } from './columns.ts'
import type { CsvRow } from './reader.ts'

export interface Mapping {
  readonly event: string
  readonly distinctIdColumn: string
  /** Empty: the time of the import. */
  readonly timestampColumn: string
}

/** An event, or what is wrong with the row. */
export type Mapped = NewEvent | string

/** The same row at the same place of the same file is the same event, unless the settings give it another meaning. */
export function createMapper(
  columns: readonly Column[],
  mapping: Mapping,
  identity: string,
): (row: CsvRow) => Mapped {
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name)
  const event = indexOf(mapping.event)
  const person = requireColumn(columns, mapping.distinctIdColumn, 'Person column')
  const time =
    mapping.timestampColumn === ''
      ? -1
      : requireColumn(columns, mapping.timestampColumn, 'Time column', 'or leave it empty')
  const source = JSON.stringify([identity, Object.values(mapping)])
  const isProperty = columns.map((_, index) => ![event, person, time].includes(index))

  return ({ line, fields, problem }) => {
    if (problem) return problem
    if (fields.length !== columns.length) {
      return `has ${fields.length} fields where the header has ${columns.length}.`
    }
    const distinctId = toDistinctId(fields[person])
    if (!distinctId) return `has no person id in "${mapping.distinctIdColumn}".`
    const timestamp = time < 0 ? undefined : toTimestamp(fields[time])
    if (time >= 0 && !timestamp)
      return `has no time in "${mapping.timestampColumn}" (${TIME_FORMS}).`
    const name = event < 0 ? mapping.event : toEventName(fields[event])
    if (!name) return `has no event name in "${mapping.event}".`
    const properties: Record<string, unknown> = {}
    for (const [index, column] of columns.entries()) {
      const value = isProperty[index] ? toValue(fields[index] as string, column.type) : undefined
      if (value !== undefined) properties[column.name] = value
    }
    return {
      uuid: toEventId(`${source}\n${line}\n${fields.join('\u001f')}`),
      event: name,
      distinct_id: distinctId,
      timestamp,
      properties,
    }
  }
}

function requireColumn(
  columns: readonly Column[],
  wanted: string,
  setting: string,
  otherwise = '',
): number {
  const index = columns.findIndex(({ name }) => name === wanted)
  if (index >= 0) return index
  const names = columns.map(({ name }) => name).join(', ')
  const known = names.length > 500 ? `${names.slice(0, 500)}...` : names
  throw new Error(
    `The file has no column "${wanted}". Its columns are: ${known}. ` +
      `Set "${setting}" to one of them${otherwise && `, ${otherwise}`}.`,
  )
}
