import { sql } from 'kysely'
import { compareAll } from './comparisons.ts'
import { compile } from './compile-node.ts'
import { refuse } from './errors.ts'
import type { NameScope } from './scope.ts'
import type { Node, ParsedQuery } from './tree.ts'
import { type Expression, expression } from './types.ts'

/** Compiles a query inside an expression; it can use columns of the outer queries. */
export function compileSubquery(node: Node, scope: NameScope): Expression {
  const { node: inner } = node.subquery as { node: ParsedQuery }
  const query = scope.context.compileQuery(inner, {
    context: scope.context,
    ctes: scope.ctes,
    parent: scope,
  })
  const kind = node.subquery_type
  if (kind === 'EXISTS') {
    return {
      ...expression('Boolean', [], (table) => sql`exists (${query.render(table)})`),
      ...query.size,
    }
  }
  const [column, ...more] = query.columns
  if (!column || more.length > 0)
    throw refuse('A subquery in an expression has exactly one column.')
  const alias = sql.raw(scope.context.nextName('s'))
  if (kind === 'SCALAR') {
    if (!query.isOneRow) {
      throw refuse(
        'A subquery that stands for a value must give one row: aggregate without GROUP BY, or add LIMIT 1.',
      )
    }
    return {
      ...expression(column.type, [], (table) => sql`(${query.render(table)})`),
      ...query.size,
      longest: column.longest,
    }
  }
  if (kind !== 'ANY' || node.comparison_type !== 'COMPARE_EQUAL') {
    throw refuse('Of subqueries only IN, EXISTS and single values are available.')
  }
  const left = compile(node.child as Node, scope)
  const item = { ...expression(column.type, [], () => sql`${alias}.c1`), ...query.size }
  // converted like any comparison, then written as IN, which both planners optimize
  const [value, among] = compareAll([left, item], scope.context) as [Expression, Expression]
  return expression(
    'Boolean',
    [value, among],
    (table, x, y) => sql`((${x}) in (select ${y} from (${query.render(table)}) ${alias}))`,
  )
}
