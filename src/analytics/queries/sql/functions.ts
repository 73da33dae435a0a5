import { compileMatchesAction } from './actions.ts'
import { compileInCohort } from './cohorts.ts'
import { isProperties } from './columns.ts'
import { compile, compileAll } from './compile-node.ts'
import { convert } from './convert.ts'
import { refuse } from './errors.ts'
import type { Callable } from './functions/callable.ts'
import { DATE_FUNCTIONS } from './functions/dates.ts'
import { NUMBER_FUNCTIONS } from './functions/numbers.ts'
import { TEXT_FUNCTIONS } from './functions/texts.ts'
import { VALUE_FUNCTIONS } from './functions/values.ts'
import type { NameScope } from './scope.ts'
import { CALL_PARTS, childrenOf, type Node, readConstant, unknownPart } from './tree.ts'
import type { Expression, Type } from './types.ts'

const FUNCTIONS: ReadonlyMap<string, Callable> = new Map(
  [NUMBER_FUNCTIONS, TEXT_FUNCTIONS, DATE_FUNCTIONS, VALUE_FUNCTIONS].flatMap((functions) =>
    Object.entries(functions),
  ),
)

const PARTS = [...CALL_PARTS, 'order_bys', 'is_operator', 'export_state']

export function compileFunction(node: Node, scope: NameScope): Expression {
  const name = functionName(node)
  const special =
    compileProperty(name, node, scope) ??
    compileInCohort(name, node, scope) ??
    compileMatchesAction(name, node, scope)
  if (special) return special
  const callable = FUNCTIONS.get(name)
  if (!callable)
    throw refuse(`The function ${name} is not available. docs/sql.md lists those that are.`)
  if (node.distinct || hasOrder(node) || unknownPart(node, PARTS)) {
    throw refuse(`${name} takes neither DISTINCT nor FILTER nor ORDER BY: it is not an aggregate.`)
  }
  const args = compileAll(childrenOf(node), scope)
  requireCount(name, args.length, callable)
  return callable.call(args, scope)
}

/** Returns the name in lower case. Refuses a schema other than `main`, which DuckDB's parser adds. */
export function functionName(node: Node): string {
  const name = String(node.function_name).toLowerCase()
  if ((node.schema ?? 'main') === 'main' && node.catalog === undefined && !node.export_state)
    return name
  throw refuse(`The function ${name} is not available in a schema. Write its name only.`)
}

export const hasOrder = (node: Node): boolean =>
  ((node.order_bys as { orders?: readonly unknown[] } | undefined)?.orders?.length ?? 0) > 0

export function requireCount(name: string, given: number, { least, most }: Omit<Callable, 'call'>) {
  if (given >= least && given <= most) return
  const wanted =
    least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`
  throw refuse(
    `${name} takes ${wanted} ${wanted === '1' ? 'argument' : 'arguments'}, not ${given}.`,
  )
}

/** PostHog's other functions that read a property, and the type that each returns. */
const READERS: Record<string, Type> = {
  '->>': 'String',
  jsonextractstring: 'String',
  json_extract_string: 'String',
  jsonextractfloat: 'Float',
  jsonextractint: 'Integer',
  jsonextractbool: 'Boolean',
}

function compileProperty(name: string, node: Node, scope: NameScope): Expression | undefined {
  const [table, key, ...more] = childrenOf(node)
  const names = (table?.column_names as readonly string[] | undefined) ?? []
  if (!Object.hasOwn(READERS, name) || !table || !isProperties(names.at(-1)) || !key)
    return undefined
  if (more.length > 0 || typeof readConstant(key) !== 'string') {
    throw refuse(`${name} reads one property, by a name that is written out.`)
  }
  const access: Node = { class: 'OPERATOR', type: 'ARRAY_EXTRACT', children: [table, key] }
  return convert(compile(access, scope), READERS[name] ?? 'String', scope.context)
}
