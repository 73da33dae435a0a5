import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineFields, defineResource, listed, moveLast } from './resource.ts'

const fields = defineFields({
  id: { schema: Type.Integer(), list: true },
  name: { schema: Type.String(), write: Type.String(), list: true, log: true },
  tile_count: {
    schema: Type.Integer(),
    read: (_row: unknown, { tiles }: { readonly tiles: number }) => tiles,
  },
  duplicate_tiles: { write: Type.Boolean() },
})

/** One more field, as a change of the product would add it: the types of tables do not have its column. */
const withArchived = {
  ...fields,
  archived: { schema: Type.Boolean(), write: Type.Boolean(), list: true, log: true },
} as const

const row = { id: 1, name: 'Sales "EU"', archived: 1 }

describe('a field that is added to a table', () => {
  const resource = defineResource('dashboards', withArchived)

  it('is in the schemas of responses and bodies', () => {
    expect(Object.keys(resource.item)).toEqual(['id', 'name', 'tile_count', 'archived'])
    expect(Object.keys(resource.write)).toEqual(['name', 'duplicate_tiles', 'archived'])
  })

  it('is in the items of lists, if it says so', () => {
    const item = defineResource('dashboards', listed(withArchived))

    expect(Object.keys(item.item)).toEqual(['id', 'name', 'archived'])
  })

  it('is selected', () => {
    expect(resource.columns).toEqual(['dashboards.id', 'dashboards.name', 'dashboards.archived'])
  })

  it('has a column in new records, and in updates that send it', () => {
    expect(resource.empty).toEqual({ name: '', archived: 0 })
    expect(resource.toColumns({ archived: true, duplicate_tiles: true })).toEqual({ archived: 1 })
    expect(resource.toColumns({ name: 'Sales' })).toEqual({ name: 'Sales' })
  })

  it('is in the JSON of responses', () => {
    expect(resource.toText(row, { tiles: 3 })).toBe(
      '{"id":1,"name":"Sales \\"EU\\"","tile_count":3,"archived":true}',
    )
    expect(resource.toItem(row, { tiles: 3 }).archived).toBe(true)
  })

  it('is in the log', () => {
    expect(resource.toLogged(row)).toEqual({ name: 'Sales "EU"', archived: true })
  })
})

describe('a column', () => {
  const TextOrNull = Type.Union([Type.String(), Type.Null()])

  it.each([
    ['a text', Type.String(), 'a "b"', 'a "b"', '"a \\"b\\""'],
    ['a time', Type.String({ format: 'date-time' }), '2026-01-01', '2026-01-01', '"2026-01-01"'],
    ['a number', Type.Number(), 1.5, 1.5, '1.5'],
    ['false', Type.Boolean(), false, 0, 'false'],
    ['an object', Type.Object({}), { a: 1 }, '{"a":1}', '{"a":1}'],
    ['a list', Type.Array(Type.String()), ['a'], '["a"]', '["a"]'],
    ['null', TextOrNull, null, null, 'null'],
    ['a text that can be null', TextOrNull, 'a', 'a', '"a"'],
    ['false that can be null', Type.Union([Type.Boolean(), Type.Null()]), false, 0, 'false'],
  ])('stores and shows %s', (_name, schema, sent, stored, shown) => {
    const { toColumns, toText } = defineResource('insights', {
      value: { schema, column: 'folder', write: schema },
    })

    expect(toColumns({ value: sent })).toEqual({ folder: stored })
    expect(toText({ folder: stored as string }, undefined)).toBe(`{"value":${shown}}`)
  })

  it('must have a schema of a type that can be stored', () => {
    expect(() => defineResource('insights', { query: { schema: Type.Unknown() } })).toThrow(
      'No column stores',
    )
  })

  it('starts with the default of its field', () => {
    const saved = { schema: Type.Boolean(), write: Type.Boolean(), default: true } as const

    expect(defineResource('insights', { saved }).empty).toEqual({ saved: 1 })
  })

  it('is normalized before it is stored, and logged under its own name', () => {
    const { toColumns, toLogged } = defineResource('insights', {
      _create_in_folder: {
        schema: TextOrNull,
        column: 'folder',
        write: TextOrNull,
        normalize: (folder: string | null) => folder || null,
        log: 'folder',
      },
    })

    expect(toColumns({ _create_in_folder: '' })).toEqual({ folder: null })
    expect(toLogged({ folder: 'Growth' })).toEqual({ folder: 'Growth' })
  })
})

describe('moveLast', () => {
  it('keeps the order of the other entries', () => {
    const moved = moveLast({ a: 1, b: 2, c: 3, d: 4 }, 'c', 'a')

    expect(Object.keys(moved)).toEqual(['b', 'd', 'c', 'a'])
  })
})
