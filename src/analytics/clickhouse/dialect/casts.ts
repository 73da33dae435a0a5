import type { Node } from '#server/analytics/queries/sql/tree.ts'
import { type Form, toLiteral, toMark, type Value } from './literals.ts'
import type { Writer } from './scope.ts'
import { castTime, timeToText } from './times.ts'
import { untranslatable } from './tree.ts'
import { CLICKHOUSE_TYPES, PARSED_TYPES, type Piece, type Type } from './types.ts'

/** A constant of DuckDB's tree. */
export interface Constant {
  readonly type: { readonly id: string; readonly type_info?: { readonly scale?: number } }
  readonly is_null: boolean
  readonly value: Value
}

/** The way to write a constant that is cast to a type. */
const FORMS: Partial<Readonly<Record<Type, Form>>> = {
  boolean: 'boolean',
  date: 'date',
  float: 'float',
  integer: 'integer',
  local: 'local',
  text: 'text',
  time: 'time',
  uuid: 'text',
}

/** Writes a constant, or the mark of a parameter, in a form; undefined for any other node. */
export function writeForm(node: Node, form: Form): string | undefined {
  if (node.class === 'PARAMETER') return toMark(String(node.identifier), form)
  if (node.class !== 'CONSTANT') return undefined
  const { is_null, value } = node.value as Constant
  return is_null ? undefined : toLiteral(value, form)
}

export function writeCast(node: Node, { write }: Writer): Piece {
  const { id } = node.cast_type as { id: string }
  const type = PARSED_TYPES[id]
  const form = type && FORMS[type]
  if (!type || !form) throw untranslatable(`A cast to ${id}`)
  const child = node.child as Node
  const constant = writeForm(child, form)
  if (constant === undefined) return cast(write(child), type, node.try_cast === true)
  const isTyped = type !== 'integer' && type !== 'uuid'
  return { text: isTyped ? constant : `CAST(${constant} AS ${CLICKHOUSE_TYPES[type]})`, type }
}

function cast(value: Piece, type: Type, isTry: boolean): Piece {
  const { text } = value
  if (value.type === type) return value
  if (value.type === 'null')
    return { text: `CAST(${text} AS Nullable(${CLICKHOUSE_TYPES[type]}))`, type }
  if (isTry && type === 'float' && value.type === 'text')
    return { text: `toFloat64OrNull(replaceRegexpAll(${text}, '^\\\\s+|\\\\s+$', ''))`, type }
  if (isTry) throw untranslatable(`A cast of ${value.type} to ${type} that may fail`)
  switch (type) {
    case 'date':
    case 'local':
    case 'time':
      return castTime(value, type)
    case 'text':
      return castToText(value)
    case 'boolean':
      return { text: `toBool(${text})`, type }
    case 'integer':
      return { text: castExactly(text), type }
    default:
      return { text: `CAST(${text} AS ${CLICKHOUSE_TYPES[type]})`, type }
  }
}

/**
 * Makes a number that is too large an error instead of another number. ClickHouse computes constants before it knows
 * which branch of a CASE is taken; `materialize` makes it compute this one later.
 */
export const castExactly = (number: string): string =>
  `accurateCast(materialize(${number}), 'Int64')`

function castToText(value: Piece): Piece {
  const { text, type } = value
  switch (type) {
    case 'time':
      throw untranslatable('The text of a time without a zone')
    case 'local':
    case 'date':
      return timeToText(value)
    case 'float': // PostgreSQL and DuckDB write 1e-07
      return { text: `replaceRegexpOne(toString(${text}), 'e-(\\\\d)$', 'e-0\\\\1')`, type: 'text' }
    default:
      return { text: `toString(${toValue(value)})`, type: 'text' }
  }
}

/** Makes a condition, which is a number in ClickHouse, true or false. */
export const toValue = ({ text, type }: Piece): string =>
  type === 'boolean' ? `toBool(${text})` : text
