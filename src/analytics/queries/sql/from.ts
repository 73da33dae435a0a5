import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { compileComparison } from './comparisons.ts'
import { compileCondition } from './compile-node.ts'
import { refuse } from './errors.ts'
import type {
  Column,
  CompileContext,
  CompiledQuery,
  Cte,
  From,
  NameScope,
  OuterScope,
  Relation,
} from './scope.ts'
import { addSizes } from './size.ts'
import { findTable, fromTable } from './tables.ts'
import { type Node, type ParsedQuery, type TableNode, unknownPart } from './tree.ts'
import { expression } from './types.ts'

/** Compiles every table that a query reads: the project's events and persons, or another part of the query. */
export function compileFrom(node: TableNode, outer: OuterScope): From {
  return outer.context.nested(() => {
    switch (node.type) {
      case 'BASE_TABLE':
        return compileTable(node, outer)
      case 'SUBQUERY':
        return compileDerived(node, outer)
      case 'JOIN':
        return compileJoin(node, outer)
      default:
        throw refuse(REFUSED[node.type] ?? `${node.type} is not allowed in FROM.`)
    }
  })
}

const REFUSED: Record<string, string> = {
  TABLE_FUNCTION: 'Functions are not available in FROM. A query reads events and persons only.',
  EXPRESSION_LIST: 'VALUES is not available. Use SELECT ... UNION ALL SELECT ...',
  SHOW_REF: 'DESCRIBE, SHOW and SUMMARIZE are not available. Only SELECT is.',
  PIVOT: 'PIVOT and UNPIVOT are not available. Use countIf and sumIf.',
}

function compileTable(node: TableNode, { context, ctes }: OuterScope): From {
  const given = String(node.table_name)
  if (unknownPart(node, ['type', 'alias', 'table_name', 'column_name_alias'])) {
    throw refuse('A table is named by one word, without a schema, a sample or a version: events.')
  }
  const cte = ctes.get(given.toLowerCase())
  const name = (node.alias ?? given).toLowerCase()
  if (cte) {
    cte.uses++
    const from = fromQuery(node, context, { query: cte.query, cte, name })
    if (cte.isFenced) return { ...from, size: { ...from.size, effort: 1 }, tables: 1, levels: 1 }
    return cte.uses > 1 ? { ...from, tables: 1 } : from
  }
  const stored = findTable(given)
  if (!stored) {
    throw refuse(
      `There is no table "${given.slice(0, 100)}". A query reads events, persons, person_distinct_ids, cohort_people, groups, sessions, import_configs, import_runs, or what it names by WITH.`,
    )
  }
  if (node.column_name_alias)
    throw refuse('The columns of a table keep their names. Use AS in SELECT.')
  return fromTable(stored, name, context)
}

/** Hides the outer query: a subquery in FROM is computed once. */
function compileDerived(node: TableNode, { context, ctes }: OuterScope): From {
  if (unknownPart(node, ['type', 'alias', 'subquery', 'column_name_alias'])) {
    throw refuse('A subquery in FROM takes no sample.')
  }
  const { node: inner } = node.subquery as { node: ParsedQuery }
  const query = context.compileQuery(inner, { context, ctes })
  return fromQuery(node, context, { query, name: node.alias?.toLowerCase() })
}

/** A table that another part of the query defines: a subquery or a name of WITH. */
interface DefinedTable {
  readonly query: CompiledQuery
  readonly cte?: Cte
  readonly name: string | undefined
}

function fromQuery(
  node: TableNode,
  context: CompileContext,
  { query, cte, name }: DefinedTable,
): From {
  const alias = sql.raw(context.nextName('t'))
  const id = context.nextName('q')
  const renamed = (node.column_name_alias as readonly string[] | undefined) ?? []
  if (renamed.length > query.columns.length)
    throw refuse('A table is given more names than it has columns.')
  const columns = query.columns.map((column, n): Column => {
    const inner = sql.raw(`c${n + 1}`)
    return {
      name: renamed[n] ?? column.name,
      type: column.type,
      id: `${id}.${n}`,
      use: () => ({
        ...expression(column.type, [], () => sql`${alias}.${inner}`),
        ...column.size,
        longest: column.longest,
      }),
    }
  })
  const render = (table: EventTable) =>
    cte ? sql`${sql.raw(cte.name)} ${alias}` : sql`(${query.render(table)}) ${alias}`
  const { size, tables, levels } = query
  return { relations: [{ name, columns, merged: new Set() }], render, size, tables, levels }
}

/** Planning 20 joins takes DuckDB up to 0.1 s of CPU time, 50 take it 4 s, and it cannot be interrupted. */
const MAX_TABLES = 20

const tooManyTables = () =>
  refuse(
    `More than ${MAX_TABLES} tables are joined, those of subqueries included. Join fewer, or join groups: select ... group by ...`,
  )

const JOINS: Record<string, Sql> = {
  INNER: sql`join`,
  LEFT: sql`left join`,
  RIGHT: sql`right join`,
}

const JOIN_PARTS = [
  'type',
  'left',
  'right',
  'condition',
  'join_type',
  'ref_type',
  'using_columns',
  'delim_flipped',
]

function compileJoin(node: TableNode, outer: OuterScope): From {
  const join = Object.hasOwn(JOINS, String(node.join_type))
    ? JOINS[String(node.join_type)]
    : undefined
  const isCross = node.ref_type === 'CROSS'
  if (!join || (!isCross && node.ref_type !== 'REGULAR') || unknownPart(node, JOIN_PARTS)) {
    throw refuse('Only JOIN, LEFT JOIN, RIGHT JOIN and CROSS JOIN are available, with ON or USING.')
  }
  const left = compileFrom(node.left as TableNode, outer)
  const right = compileFrom(node.right as TableNode, outer)
  const relations = [...left.relations, ...right.relations]
  requireNames(relations)
  const size = addSizes(left.size, right.size)
  const shape = {
    tables: left.tables + right.tables,
    levels: Math.max(left.levels, right.levels),
  }
  if (shape.tables > MAX_TABLES) throw tooManyTables()
  if (isCross) {
    return {
      relations,
      size,
      ...shape,
      render: (table) => sql`${left.render(table)} cross join ${right.render(table)}`,
    }
  }
  const scope: NameScope = { ...outer, relations, aliases: new Map() }
  const using = (node.using_columns as readonly string[] | undefined) ?? []
  const condition =
    using.length > 0
      ? compileUsing(using, { left, right, keepsRight: node.join_type === 'RIGHT' }, outer.context)
      : compileCondition(node.condition as Node, scope)
  return {
    relations,
    size: addSizes(size, condition),
    ...shape,
    render: (table) =>
      sql`${left.render(table)} ${join} ${right.render(table)} on ${condition.render(table)}`,
  }
}

function requireNames(relations: readonly Relation[]): void {
  const names = relations.flatMap(({ name }) => name ?? [])
  const twice = names.find((name, n) => names.indexOf(name) < n)
  if (twice)
    throw refuse(`Two tables are called "${twice}". Give one another name: ${twice} AS other.`)
}

interface Sides {
  readonly left: From
  readonly right: From
  readonly keepsRight: boolean
}

/** Keeps one of the two joined columns: that of the side with all rows. */
function compileUsing(
  names: readonly string[],
  { left, right, keepsRight }: Sides,
  context: CompileContext,
) {
  const pairs = names.map((name) => {
    const [a, b] = [findIn(left, name), findIn(right, name)]
    for (const relation of keepsRight ? left.relations : right.relations) {
      relation.merged.add(name.toLowerCase())
    }
    return compileComparison('COMPARE_EQUAL', a.use(), b.use(), context)
  })
  return expression('Boolean', pairs, (_, ...written) => sql`(${sql.join(written, sql` and `)})`)
}

function findIn({ relations }: From, name: string): Column {
  const wanted = name.toLowerCase()
  const found = relations.flatMap(({ columns, merged }) =>
    columns.filter((column) => column.name.toLowerCase() === wanted && !merged.has(wanted)),
  )
  if (found.length !== 1 || !found[0])
    throw refuse(`USING (${name}) needs that column once on both sides.`)
  return found[0]
}
