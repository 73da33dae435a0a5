import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { compile, compileCondition } from './compile-node.ts'
import { convert } from './convert.ts'
import { refuse } from './errors.ts'
import { functionName, hasOrder, requireCount } from './functions.ts'
import type { AggregateCall, CompileContext, NameScope } from './scope.ts'
import { CALL_PARTS, childrenOf, type Node, unknownPart } from './tree.ts'
import { type Expression, TYPE_NAMES } from './types.ts'

/** A call that FILTER or OVER can follow, and the conversion of its value. */
type Prepared = Omit<AggregateCall, 'condition'>

interface Aggregate {
  readonly least: number
  readonly most: number
  readonly canWindow?: boolean
  prepare(args: readonly Expression[], distinct: boolean, context: CompileContext): Prepared
}

const count: Aggregate = {
  least: 0,
  most: 1,
  canWindow: true,
  prepare: (args, distinct) => ({
    type: 'Integer',
    args,
    ...(distinct ? { isDistinct: true } : { merge: addCounts }),
    write: (_, x) => (x ? sql`count(${distinct ? sql`distinct ` : sql``}${x})` : sql`count(*)`),
  }),
}

const addCounts = (counts: Sql): Sql => sql`coalesce(sum(${counts}), 0)::bigint`

const uniq: Aggregate = {
  least: 1,
  most: 1,
  prepare: (args) => ({
    type: 'Integer',
    args,
    isDistinct: true,
    write: (_, x) => sql`count(distinct ${x})`,
  }),
}

/** Keeps whole numbers whole. Both databases refuse a sum that is too large for one. */
const sum: Aggregate = {
  least: 1,
  most: 1,
  canWindow: true,
  prepare([value], _, context) {
    requireNumber('sum', value)
    const isWhole = value?.type === 'Integer'
    const args = value ? [isWhole ? value : convert(value, 'Float', context)] : []
    const type = isWhole ? 'Integer' : 'Float'
    return { type, args, write: (_, x) => sql`sum(${x})`, ...(isWhole && { cast: sql`bigint` }) }
  },
}

const average: Aggregate = {
  least: 1,
  most: 1,
  canWindow: true,
  prepare([value], _, context) {
    requireNumber('avg', value)
    const args = value ? [convert(value, 'Float', context)] : []
    return { type: 'Float', args, write: (_, x) => sql`avg(${x})` }
  },
}

const extreme = (name: 'min' | 'max'): Aggregate => ({
  least: 1,
  most: 1,
  canWindow: true,
  prepare([value], _, context) {
    const type = value?.type ?? 'Null'
    // PostgreSQL has no least of two conditions
    const args = value ? [type === 'Boolean' ? convert(value, 'Integer', context) : value] : []
    return {
      type: args[0]?.type ?? type,
      args,
      write: (table, x) => {
        const sortable = type === 'String' ? table.sortable(x as Sql) : x
        return sql`${sql.raw(name)}(${sortable})`
      },
      merge: (extremes) => sql`${sql.raw(name)}(${extremes})`,
    }
  },
})

const quantile = (share?: number): Aggregate => ({
  least: share === undefined ? 2 : 1,
  most: share === undefined ? 2 : 1,
  prepare([value, level], _, context) {
    requireNumber('quantile', value)
    const at = share ?? level?.constant
    if (typeof at !== 'number' || at < 0 || at > 1) {
      throw refuse(
        'quantile takes a value and a level from 0 to 1 that is written out, as in quantile(x, 0.9).',
      )
    }
    const args = value ? [convert(value, 'Float', context)] : []
    const write = (_: EventTable, x: Sql | undefined) =>
      sql`percentile_cont(${sql.lit(at)}) within group (order by ${x})`
    return { type: 'Float', args, write }
  },
})

function requireNumber(name: string, value: Expression | undefined): void {
  if (!value || ['Integer', 'Float', 'String', 'Null'].includes(value.type)) return
  throw refuse(`${name} of ${TYPE_NAMES[value.type]} has no meaning. For conditions use countIf.`)
}

const BASE: Record<string, Aggregate> = {
  count,
  uniq,
  uniqexact: uniq,
  sum,
  avg: average,
  min: extreme('min'),
  max: extreme('max'),
  any_value: extreme('min'),
  median: quantile(0.5),
  quantile: quantile(),
}

interface Known {
  readonly aggregate: Aggregate
  readonly hasCondition: boolean
}

const AGGREGATES: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['count_star', { aggregate: { ...count, most: 0 }, hasCondition: false }],
  ...Object.entries(BASE).flatMap(([name, aggregate]) => [
    [name, { aggregate, hasCondition: false }] as const,
    [`${name}if`, { aggregate, hasCondition: true }] as const,
  ]),
])

export const isAggregate = (node: Node): boolean =>
  node.class === 'FUNCTION' && AGGREGATES.has(String(node.function_name).toLowerCase())

const PARTS = [...CALL_PARTS, 'filter', 'order_bys', 'is_operator', 'export_state']

/** Compiles an aggregate over groups; its arguments are computed for each row in the inner query. */
export function compileAggregate(node: Node, scope: NameScope): Expression {
  const name = functionName(node)
  const { grouping } = scope
  if (!grouping) {
    throw refuse(
      `${name.replace('_star', '')} is an aggregate: it cannot stand in WHERE, ON, GROUP BY or in another aggregate. Use HAVING, or a subquery.`,
    )
  }
  if (hasOrder(node) || unknownPart(node, PARTS)) throw refuse(`${name} takes no ORDER BY.`)
  const { prepared, condition } = prepare(node, node.filter as Node | undefined, grouping.rows)
  return grouping.addAggregate({ ...prepared, condition })
}

/** Compiles an aggregate over a window, whose arguments are already computed. */
export function windowAggregate(node: Node, scope: NameScope) {
  const { aggregate } = AGGREGATES.get(functionName(node)) ?? {}
  if (!aggregate?.canWindow || node.distinct) {
    throw refuse(
      `${functionName(node)} cannot be used with OVER. count, sum, avg, min and max can.`,
    )
  }
  return prepare(node, node.filter_expr as Node | undefined, scope)
}

function prepare(node: Node, filter: Node | undefined, rows: NameScope) {
  const name = functionName(node)
  const known = AGGREGATES.get(name)
  if (!known) throw refuse(`The function ${name} is not available.`)
  const { aggregate, hasCondition } = known
  const children = childrenOf(node)
  const last = hasCondition ? children.at(-1) : undefined
  if (hasCondition && (!last || filter))
    throw refuse(`${name} takes a condition as its last argument, and no FILTER.`)
  const given = hasCondition ? children.slice(0, -1) : children
  requireCount(name, given.length, aggregate)
  if (node.distinct && name !== 'count') throw refuse(`Only count takes DISTINCT, not ${name}.`)
  const args = given.map((child) => compile(child, rows))
  const conditionNode = last ?? filter
  return {
    prepared: aggregate.prepare(args, node.distinct === true, rows.context),
    condition: conditionNode && compileCondition(conditionNode, rows),
  }
}
