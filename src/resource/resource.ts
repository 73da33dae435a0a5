import type { Selectable } from 'kysely'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Schema } from '#server/db/schema.ts'
import { type JsonFields, jsonWriter } from '#server/http/json-text.ts'
import { toStorage } from './storage.ts'

interface Field {
  /** The field in responses. Without it the field is only written. */
  readonly schema?: TSchema
  /** The column, if it has another name. A field with `read` has a column only if it is named here. */
  readonly column?: string
  /** Reads a value that is not the column's. */
  readonly read?: (row: never, context: never) => unknown
  /** The field in request bodies. */
  readonly write?: TSchema
  /** Converts the value that was sent before it is stored, or refuses it. */
  readonly normalize?: (sent: never) => unknown
  /** The value of a new record, unless it is empty. */
  readonly default?: unknown
  /** Whether the items of a list have it too. */
  readonly list?: true
  /** Whether its changes are logged, or its name in the log. */
  readonly log?: true | string
}

/** The fields of a resource by their names in the API, in the order of responses. */
type Fields = Readonly<Record<string, Field>>

type With<Part extends string> = Readonly<Record<Part, unknown>>

type ColumnName<Name, Item> =
  Item extends Readonly<Record<'column', infer Column>>
    ? Column
    : Item extends With<'read'>
      ? never
      : Item extends With<'schema'>
        ? Name
        : never

type ColumnOf<Items extends Fields, Part = unknown> = {
  [Name in keyof Items]: Items[Name] extends Part ? ColumnName<Name, Items[Name]> : never
}[keyof Items]

type Schemas<Items extends Fields, Part extends 'schema' | 'write'> = {
  [Name in keyof Items as Items[Name] extends With<Part> ? Name : never]: Items[Name] extends {
    readonly [_ in Part]: infer Kind extends TSchema
  }
    ? Kind
    : never
}

/** The rows and contexts that all `read` functions accept. */
type Read<Items extends Fields> = {
  [Name in keyof Items]: Items[Name] extends {
    readonly read: (row: infer Row, context: infer Context) => unknown
  }
    ? (row: Row, context: Context) => void
    : never
}[keyof Items] extends (row: infer Row, context: infer Context) => void
  ? { readonly row: Row; readonly context: Context }
  : never

type Reader = JsonFields<object, void>[string]

/** Keeps the types of fields. */
export const defineFields = <const Items extends Fields>(fields: Items): Items => fields

/** Derives the schemas, columns, JSON and log of a resource from its fields. */
export function defineResource<Table extends keyof Schema, const Items extends Fields>(
  table: Table,
  fields: Items,
) {
  type Columns = Selectable<Schema[Table]>
  type Row = Pick<Columns, ColumnOf<Items> & keyof Columns>
  type Written = Pick<Columns, ColumnOf<Items, With<'write'>> & keyof Columns>

  const item: Record<string, TSchema> = {}
  const write: Record<string, TSchema> = {}
  const columns = new Set<string>()
  const json: Record<string, Reader> = {}
  const logged: Record<string, Reader> = {}
  const empty: Record<string, unknown> = {}
  const written: (readonly [name: string, column: string, toColumn: (sent: never) => unknown])[] =
    []
  for (const [name, field] of Object.entries<Field>(fields)) {
    const { schema, read, column = read ? undefined : name, log } = field
    if (field.write) write[name] = field.write
    if (!schema) continue
    item[name] = schema
    if (read) json[name] = read as Reader
    if (!column) continue
    const { toStored, toCode, ...storage } = toStorage(schema)
    const readColumn = toReader(toCode(`row[${JSON.stringify(column)}]`))
    columns.add(`${table}.${column}`)
    json[name] ??= readColumn
    if (log) logged[log === true ? name : log] = readColumn
    if (!field.write) continue
    const { normalize = (sent: never) => sent, default: initial } = field
    empty[column] = initial === undefined ? storage.empty : toStored(initial as never)
    written.push([name, column, (sent) => toStored(normalize(sent) as never)])
  }
  const toText = jsonWriter(json as JsonFields<Row & Read<Items>['row'], Read<Items>['context']>)
  const writeLogged = jsonWriter<object>(logged)

  return {
    /** The schemas of responses. */
    item: item as Schemas<Items, 'schema'>,
    /** The schemas of request bodies. */
    write: write as Schemas<Items, 'write'>,
    /** The columns to select. */
    columns: [...columns] as `${Table}.${string & keyof Row}`[],
    /** Writes a row as the JSON of a response. */
    toText,
    /** Reads a row as the object of a response. */
    toItem: (...row: Parameters<typeof toText>): Static<TObject<Schemas<Items, 'schema'>>> =>
      JSON.parse(toText(...row)),
    /** The writable columns of a record that is created without content. */
    empty: empty as Written,
    /** Converts the fields that were sent to columns. */
    toColumns: (body: { readonly [Name in keyof Items]?: unknown }): Partial<Written> =>
      Object.fromEntries(
        written
          .filter(([name]) => body[name] !== undefined)
          .map(([name, column, toColumn]) => [column, toColumn(body[name] as never)]),
      ) as Partial<Written>,
    /** Reads the fields of a row whose changes are logged. */
    toLogged: (row: object): Record<string, unknown> => JSON.parse(writeLogged(row)),
  }
}

/** Generates the function, so that V8 compiles it for its own column: a closure would look up the name. */
const toReader = (code: string) => new Function('row', `return ${code}`) as Reader

/** Whether a record is in the trash. */
export const trashField = {
  schema: Type.Boolean(),
  write: Type.Boolean({ description: 'true moves it to the trash, false restores it.' }),
}

type Listed<Items extends Fields> = {
  readonly [Name in keyof Items as Items[Name] extends With<'list'> ? Name : never]: Items[Name]
}

/** Picks the fields that the items of a list have. */
export const listed = <Items extends Fields>(fields: Items): Listed<Items> =>
  Object.fromEntries(Object.entries(fields).filter(([, { list }]) => list)) as Listed<Items>

/** Moves entries to the end, where a published schema or the log has another order than responses. */
export function moveLast<Entries extends object>(
  entries: Entries,
  ...names: readonly (string & keyof Entries)[]
): Entries {
  const moved = { ...entries }
  for (const name of names) {
    delete moved[name]
    moved[name] = entries[name]
  }
  return moved
}
