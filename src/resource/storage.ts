import type { TSchema } from 'typebox'
import { flag, json } from '#server/db/values.ts'

/** The way in which columns store the values of a schema. */
interface Storage {
  /** The value of a new record. */
  readonly empty: unknown
  readonly toStored: (value: never) => unknown
  /** Writes the code that turns a column into JSON text. */
  readonly toCode: (column: string) => string
}

const asIs = <Value>(value: Value): Value => value

const STORAGES: Readonly<Record<string, Storage>> = {
  string: { empty: '', toStored: asIs, toCode: (column) => `JSON.stringify(${column})` },
  integer: { empty: 0, toStored: asIs, toCode: asIs },
  number: { empty: 0, toStored: asIs, toCode: asIs },
  boolean: { empty: 0, toStored: flag, toCode: (column) => `(${column} === 1)` },
  object: { empty: '{}', toStored: json, toCode: asIs },
  array: { empty: '[]', toStored: json, toCode: asIs },
}

interface PlainSchema {
  readonly type?: string
  readonly anyOf?: readonly PlainSchema[]
  readonly format?: string
  readonly enum?: unknown
}

/** Finds how values of a schema are stored. */
export function toStorage(schema: TSchema): Storage {
  const { anyOf, type = '', format = '', enum: choices }: PlainSchema = schema
  const ofNull = anyOf?.find((each) => each.type !== 'null')
  if (ofNull) {
    const { toStored, toCode } = toStorage(ofNull)
    return {
      empty: null,
      toStored: (value) => (value === null ? null : toStored(value)),
      toCode: (column) => `(${column} === null ? null : ${toCode(column)})`,
    }
  }
  const storage = STORAGES[type]
  if (!storage) throw new Error(`No column stores the type ${type}`)
  const isPlain = choices !== undefined || ['date-time', 'uuid'].includes(format)
  if (type !== 'string' || !isPlain) return storage
  // times, UUIDs and choices need no escaping
  return { ...storage, toCode: (column) => `'"' + ${column} + '"'` }
}
