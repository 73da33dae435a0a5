import { untranslatable } from './tree.ts'

/**
 * The types of the common dialect. ClickHouse's own times end in 2299, so a `time`, and a `local` time, is an Int64 of
 * milliseconds since 1970, and a `date` is one of days.
 */
export type Type =
  | 'array'
  | 'boolean'
  | 'date'
  | 'float'
  /** A sum of whole numbers, which may need more than 64 bits. */
  | 'huge'
  | 'integer'
  | 'interval'
  | 'local'
  | 'null'
  | 'text'
  | 'time'
  | 'uuid'

/** A piece of a statement for ClickHouse. */
export interface Piece {
  readonly text: string
  readonly type: Type
}

export type Columns = ReadonlyMap<string, Type>

export const CLICKHOUSE_TYPES: Readonly<Record<Type, string>> = {
  array: 'Array(Nullable(String))',
  boolean: 'Bool',
  date: 'Int64',
  float: 'Float64',
  huge: 'Int128',
  integer: 'Int64',
  interval: 'Int64',
  local: 'Int64',
  null: 'String',
  text: 'String',
  time: 'Int64',
  uuid: 'UUID',
}

/** DuckDB's names of types in a syntax tree. */
export const PARSED_TYPES: Readonly<Record<string, Type>> = {
  BIGINT: 'integer',
  BOOLEAN: 'boolean',
  DATE: 'date',
  DECIMAL: 'float',
  DOUBLE: 'float',
  FLOAT: 'float',
  HUGEINT: 'huge',
  INTEGER: 'integer',
  INTERVAL: 'interval',
  NULL: 'null',
  SMALLINT: 'integer',
  TIMESTAMP: 'local',
  'TIMESTAMP WITH TIME ZONE': 'time',
  UUID: 'uuid',
  VARCHAR: 'text',
}

/** Numbers, from the type that holds the most. */
const WIDEST: readonly Type[] = ['float', 'huge', 'integer']

const NUMBERS: ReadonlySet<Type> = new Set(WIDEST)

/** Returns the type of a CASE, a COALESCE or a UNION with parts of these types. */
export function unite(types: readonly Type[]): Type {
  const known = new Set<Type>(types.filter((type) => type !== 'null'))
  if (known.size === 0) return 'null'
  if (known.isSubsetOf(NUMBERS)) return WIDEST.find((type) => known.has(type)) as Type
  const [first] = known
  if (known.size === 1 && first) return first
  throw untranslatable(`A value that is ${[...known].join(' or ')}`)
}
