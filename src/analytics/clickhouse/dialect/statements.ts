import type { Modifier, Node, ParsedQuery, SelectNode } from '#server/analytics/queries/sql/tree.ts'
import { toValue } from './casts.ts'
import { writeExpression, writeFilter } from './expressions.ts'
import { writeOrder, writePosition } from './orders.ts'
import {
  columnNames,
  joinTexts,
  quoteName,
  type Scope,
  type Writer,
  type WrittenQuery,
} from './scope.ts'
import { renameColumns, writeSource } from './sources.ts'
import { type SetOperation, untranslatable } from './tree.ts'
import { type Columns, type Type, unite } from './types.ts'

/** Translates DuckDB's tree of a query. `tables` has the columns of the tables that it may read. */
export const translateQuery = (
  query: ParsedQuery,
  tables: ReadonlyMap<string, Columns>,
): WrittenQuery => writeQuery(query, { relations: new Map(), tables })

/** Translates the WHERE of a query alone. */
export function translateCondition(
  query: SelectNode,
  tables: ReadonlyMap<string, Columns>,
): string {
  const scope: Scope = { relations: new Map(), tables }
  const { relations } = writeSource(query.from_table, scope, toWriter)
  return writeFilter(query.where_clause as Node, toWriter({ ...scope, relations }))
}

function toWriter(scope: Scope): Writer {
  const writer: Writer = { scope, writeQuery, write: (node) => writeExpression(node, writer) }
  return writer
}

interface Definition {
  readonly name: string
  readonly text: string
}

function writeQuery(query: ParsedQuery, scope: Scope): WrittenQuery {
  const tables = new Map(scope.tables)
  const definitions: Definition[] = []
  for (const { key, value } of query.cte_map?.map ?? []) {
    const { text, columns } = renameColumns(
      writeQuery(value.query.node, { ...scope, tables }),
      value.aliases,
    )
    tables.set(key, columns)
    definitions.push({ name: key, text })
  }
  const body = writeBody(query, { ...scope, tables })
  if (definitions.length === 0) return body
  const text = query.type === 'SELECT_NODE' ? body.text : `select * from (${body.text}) as all_rows`
  return { ...body, text: `with ${writeDefinitions(definitions, text)} ${text}` }
}

/** ClickHouse computes a CTE again at each use unless it is materialized, which takes longer for a single use. */
function writeDefinitions(definitions: readonly Definition[], body: string): string {
  const texts = [...definitions.map(({ text }) => text), body].join(' ')
  return definitions
    .map(({ name, text }) => {
      const isReused = texts.split(`${quoteName(name)} as `).length > 2
      return `${quoteName(name)} as ${isReused ? 'materialized ' : ''}(${text})`
    })
    .join(', ')
}

function writeBody(query: ParsedQuery, scope: Scope): WrittenQuery {
  switch (query.type) {
    case 'SELECT_NODE':
      return writeSelect(query as SelectNode, scope)
    case 'SET_OPERATION_NODE':
      return writeSetOperation(query as SetOperation, scope)
    default:
      throw untranslatable(query.type)
  }
}

function writeSetOperation(query: SetOperation, scope: Scope): WrittenQuery {
  const { setop_type, setop_all, modifiers = [] } = query
  if (!['UNION', 'INTERSECT', 'EXCEPT'].includes(setop_type)) throw untranslatable(setop_type)
  const [left, right] = [writeQuery(query.left, scope), writeQuery(query.right, scope)]
  const columns = uniteColumns(left.columns, right.columns)
  const text = `(${left.text}) ${setop_type.toLowerCase()} ${setop_all ? 'all' : 'distinct'} (${right.text})`
  if (modifiers.length === 0) return { text, columns }
  const writer = toWriter({ ...scope, relations: new Map([['all_rows', columns]]) })
  return { text: addModifiers(`select * from (${text}) as all_rows`, modifiers, writer), columns }
}

function uniteColumns(left: Columns, right: Columns): Columns {
  const others = [...right.values()]
  return new Map(
    [...left].map(([name, type], index) => [name, unite([type, others[index] as Type])]),
  )
}

function writeSelect(query: SelectNode, scope: Scope): WrittenQuery {
  requireTranslatable(query)
  const source = writeSource(query.from_table, scope, toWriter)
  const inner = { ...scope, relations: source.relations }
  const writer = toWriter(inner)
  const items = query.select_list.flatMap((node, index) => writeItem(node, index, writer))
  const columns = new Map(items.map(({ name, type }) => [name, type]))
  if (columns.size < items.length) throw untranslatable('Two columns of the same name')
  const after = toWriter({ ...inner, selected: columns })
  const modifiers = query.modifiers ?? []
  const distinct = modifiers.find(({ type }) => type === 'DISTINCT_MODIFIER')
  const keys = (query.group_expressions ?? []).map((node) => writePosition(node, after))
  const parts = [
    `select ${distinct ? writeDistinct(distinct, after) : ''}${joinTexts(items)}`,
    ...(source.text ? [`from ${source.text}`] : []),
    ...(query.where_clause ? [`where ${writeFilter(query.where_clause, writer)}`] : []),
    ...(keys.length > 0 ? [`group by ${keys.join(', ')}`] : []),
    ...(query.having ? [`having ${after.write(query.having).text}`] : []),
  ]
  const others = modifiers.filter((modifier) => modifier !== distinct)
  return { text: addModifiers(parts.join(' '), others, after), columns }
}

function requireTranslatable({
  qualify,
  sample,
  aggregate_handling,
  group_sets = [],
}: SelectNode): void {
  if (qualify || sample) throw untranslatable('QUALIFY or SAMPLE')
  if (aggregate_handling !== 'STANDARD_HANDLING') throw untranslatable('GROUP BY ALL')
  if (group_sets.length > 1) throw untranslatable('GROUPING SETS')
}

function writeDistinct({ distinct_on_targets = [] }: Modifier, { write }: Writer): string {
  if (distinct_on_targets.length === 0) return 'distinct '
  return `distinct on (${joinTexts(distinct_on_targets.map(write))}) `
}

interface Item {
  readonly name: string
  readonly text: string
  readonly type: Type
}

/** Names each column, because ClickHouse would name one of a join by its table too. */
function writeItem(node: Node, index: number, writer: Writer): Item[] {
  if (node.class === 'STAR') return writeStar(node, writer)
  const piece = writer.write(node)
  const ownName = node.class === 'COLUMN_REF' ? columnNames(node).at(-1) : undefined
  const name = node.alias ?? ownName ?? `column_${index}`
  return [{ name, text: `${toValue(piece)} as ${quoteName(name)}`, type: piece.type }]
}

function writeStar(node: Node, { scope }: Writer): Item[] {
  if (node.exclude_list) throw untranslatable('* EXCLUDE')
  const alias = node.relation_name as string | undefined
  const relations = [...scope.relations].filter(([name]) => alias === undefined || name === alias)
  return relations.flatMap(([relation, columns]) =>
    [...columns].map(([name, type]) => ({
      name,
      type,
      text: `${quoteName(relation)}.${quoteName(name)} as ${quoteName(name)}`,
    })),
  )
}

function addModifiers(text: string, modifiers: readonly Modifier[], writer: Writer): string {
  return modifiers.reduce((written, { type, orders = [], limit, offset }) => {
    switch (type) {
      case 'ORDER_MODIFIER':
        return `${written} order by ${orders.map((order) => writeOrder(order, writer)).join(', ')}`
      case 'LIMIT_MODIFIER': {
        const count = limit ? ` limit ${writePosition(limit, writer)}` : ''
        return `${written}${count}${offset ? ` offset ${writePosition(offset, writer)}` : ''}`
      }
      default:
        throw untranslatable(type)
    }
  }, text)
}
