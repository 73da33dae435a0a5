import {
  childrenOf,
  type Node,
  type ParsedQuery,
  type TableNode,
} from '#server/analytics/queries/sql/tree.ts'
import { toValue } from './casts.ts'
import { quoteName, type Scope, type Writer, type WrittenQuery } from './scope.ts'
import { untranslatable } from './tree.ts'
import { CLICKHOUSE_TYPES, type Columns, type Piece, type Type, unite } from './types.ts'

/** A FROM and the columns of each of its tables. */
export interface WrittenSource {
  readonly text: string
  readonly relations: ReadonlyMap<string, Columns>
}

/** Makes a writer for expressions that see these columns. */
export type ToWriter = (scope: Scope) => Writer

export function writeSource(source: TableNode, scope: Scope, toWriter: ToWriter): WrittenSource {
  switch (source.type) {
    case 'EMPTY':
      return { text: '', relations: new Map() }
    case 'BASE_TABLE':
      return writeTable(source, scope)
    case 'SUBQUERY': {
      const { node } = source.subquery as { node: ParsedQuery }
      const inner = { tables: scope.tables, relations: new Map(), outer: scope.outer }
      return writeDerived(source, toWriter(scope).writeQuery(node, inner))
    }
    case 'EXPRESSION_LIST':
      return writeDerived(source, writeValues(source, toWriter(scope)))
    case 'TABLE_FUNCTION':
      return writeDerived(source, writeSeries(source.function as Node, toWriter(scope)))
    case 'JOIN':
      return writeJoin(source, scope, toWriter)
    default:
      throw untranslatable(source.type)
  }
}

function writeTable(source: TableNode, { tables }: Scope): WrittenSource {
  const name = String(source.table_name)
  const columns = tables.get(name)
  if (!columns || source.schema_name) throw untranslatable(`The table ${name}`)
  const alias = source.alias ?? name
  return {
    text: `${quoteName(name)} as ${quoteName(alias)}`,
    relations: new Map([[alias, columns]]),
  }
}

function writeDerived(source: TableNode, query: WrittenQuery): WrittenSource {
  const alias = source.alias ?? 'derived'
  const names = source.column_name_alias as readonly string[] | undefined
  const { text, columns } = renameColumns(query, names)
  return { text: `(${text}) as ${quoteName(alias)}`, relations: new Map([[alias, columns]]) }
}

/** Gives the columns of a query other names, which ClickHouse does not do for every table. */
export function renameColumns(query: WrittenQuery, names: readonly string[] = []): WrittenQuery {
  if (names.length === 0) return query
  const columns = [...query.columns].map(([name, type], index) => ({
    name,
    type,
    as: names[index] ?? name,
  }))
  const list = columns.map((column) => `${quoteName(column.name)} as ${quoteName(column.as)}`)
  return {
    text: `select ${list.join(', ')} from (${query.text}) as renamed`,
    columns: new Map(columns.map((column) => [column.as, column.type])),
  }
}

/** Writes each row as a SELECT, because a list of values has no types. */
function writeValues(source: TableNode, { write }: Writer): WrittenQuery {
  const rows = (source.values as readonly (readonly Node[])[]).map((row) => row.map(write))
  const types = (rows[0] ?? []).map((_, index) =>
    unite(rows.map((row) => (row[index] as Piece).type)),
  )
  const toItem = (piece: Piece, index: number) =>
    `${writeAs(piece, types[index] as Type)} as ${quoteName(`col${index}`)}`
  return {
    text: rows.map((row) => `select ${row.map(toItem).join(', ')}`).join(' union all '),
    columns: new Map(types.map((type, index) => [`col${index}`, type])),
  }
}

const writeAs = (piece: Piece, type: Type): string =>
  type === 'integer' || type === 'float'
    ? `CAST(${piece.text} AS Nullable(${CLICKHOUSE_TYPES[type]}))`
    : toValue(piece)

function writeSeries(node: Node, { write }: Writer): WrittenQuery {
  if (node.function_name !== 'generate_series')
    throw untranslatable(`The table ${node.function_name}`)
  const [first, last] = childrenOf(node).map((child) => write(child).text)
  return {
    text: `select arrayJoin(range(toInt64(${first}), toInt64(${last}) + 1)) as value`,
    columns: new Map([['value', 'integer']]),
  }
}

const JOINS: Readonly<Record<string, string>> = { INNER: 'inner join', LEFT: 'left join' }

function writeJoin(source: TableNode, scope: Scope, toWriter: ToWriter): WrittenSource {
  const left = writeSource(source.left as TableNode, scope, toWriter)
  const right = writeSource(source.right as TableNode, scope, toWriter)
  const relations = new Map([...left.relations, ...right.relations])
  if (source.ref_type === 'CROSS')
    return { text: `${left.text} cross join ${right.text}`, relations }
  const word = JOINS[String(source.join_type)]
  if (!word || source.ref_type !== 'REGULAR' || source.using_columns) {
    throw untranslatable(`The join ${source.ref_type} ${source.join_type}`)
  }
  const condition = toWriter({ ...scope, relations }).write(source.condition as Node).text
  return { text: `${left.text} ${word} ${right.text} on ${condition}`, relations }
}
