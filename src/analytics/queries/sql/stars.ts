import { refuse } from './errors.ts'
import type { Relation } from './scope.ts'
import { type Node, unknownPart } from './tree.ts'

/** Expands `*` and `e.*` to columns. */
export function expandStars(
  items: readonly Node[],
  relations: readonly Relation[],
): readonly Node[] {
  return items.flatMap((item) => (item.class === 'STAR' ? expand(item, relations) : [item]))
}

const PARTS = ['class', 'type', 'alias', 'columns', 'relation_name', 'exclude_list']

function expand(star: Node, relations: readonly Relation[]): Node[] {
  if (star.columns === true || unknownPart(star, PARTS)) {
    throw refuse('* takes EXCLUDE only. Name the columns instead of COLUMNS, REPLACE or RENAME.')
  }
  const table = star.relation_name as string | undefined
  const from = relations.filter(({ name }) => !table || name === table.toLowerCase())
  if (from.length === 0) throw refuse(table ? `There is no table "${table}".` : '* needs a FROM.')
  const excluded = ((star.exclude_list as readonly unknown[] | undefined) ?? []).map((name) =>
    String(name).toLowerCase(),
  )
  const columns = from.flatMap(({ name: of, columns, merged }) =>
    columns
      .filter(({ name }) => !excluded.includes(name.toLowerCase()))
      .filter(({ name }) => table || !merged.has(name.toLowerCase()))
      .map(({ name }) => toColumnNode(of, name)),
  )
  if (columns.length === 0) throw refuse('EXCLUDE leaves no column.')
  return columns
}

const toColumnNode = (table: string | undefined, name: string): Node => ({
  class: 'COLUMN_REF',
  type: 'COLUMN_REF',
  column_names: table ? [table, name] : [name],
})
