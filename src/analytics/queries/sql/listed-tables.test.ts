import { expect, it } from 'vitest'
import { SQL_TABLES } from '#model/sql-tables.ts'
import { findTable } from './tables.ts'

const TYPES: Readonly<Record<string, string>> = {
  String: 'text',
  Integer: 'number',
  DateTime: 'time',
  Boolean: 'boolean',
}

it.each(SQL_TABLES)(
  'the columns that the web app lists are those of $name',
  ({ name, columns }) => {
    const stored = findTable(name)
    const known = [...(stored?.columns ?? []), ...(stored?.moreColumns ?? [])]
    const listed = columns.filter(({ type }) => type !== 'properties')

    expect(listed).toEqual(known.map((each) => ({ name: each.name, type: TYPES[each.type] })))
    expect(columns.some(({ name: column }) => column === 'properties')).toBe(
      stored?.property !== undefined,
    )
    expect(columns.some(({ name: column }) => column === 'person.properties')).toBe(
      stored?.personProperty !== undefined,
    )
  },
)
