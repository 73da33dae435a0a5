import { refuse } from './errors.ts'
import { FILTERS } from './placeholders.ts'
import type { Column, NameScope, Relation } from './scope.ts'
import { childrenOf, type Node, readConstant } from './tree.ts'

/** Finds the column or property that a node names, in this query or an outer one, and the query that has it. */
export function locateColumn(
  node: Node,
  scope: NameScope,
): { readonly column: Column; readonly at: NameScope } | undefined {
  const names = readNames(node)
  if (!names) return undefined
  const outermost = isCondition(names[0]) ? scope : undefined
  for (let at: NameScope | undefined = scope; at; at = at === outermost ? undefined : at.parent) {
    const column = findHere(names, (at.grouping?.rows ?? at).relations)
    if (column) return { column, at }
  }
  return undefined
}

const findColumn = (node: Node, scope: NameScope): Column | undefined =>
  locateColumn(node, scope)?.column

/** `e.properties['plan']` is `e.properties.plan`. */
function readNames(node: Node): readonly string[] | undefined {
  if (node.class === 'COLUMN_REF') return node.column_names as readonly string[]
  if (node.type !== 'ARRAY_EXTRACT') return undefined
  const [table, key] = childrenOf(node)
  const name = readConstant(key)
  if (table?.class !== 'COLUMN_REF' || typeof name !== 'string') return undefined
  const names = table.column_names as readonly string[]
  return isProperties(names.at(-1)) ? [...names, name] : undefined
}

function findHere(names: readonly string[], relations: readonly Relation[]): Column | undefined {
  const named = relations.filter(({ name }) => name === names[0]?.toLowerCase())
  if (names.length > 1 && named.length > 0) return findIn(names.slice(1), named, true)
  return findIn(names, relations, false)
}

function findIn(
  names: readonly string[],
  relations: readonly Relation[],
  isQualified: boolean,
): Column | undefined {
  const [first = '', second = ''] = names
  if (names.length === 1) return findByName(first, relations, isQualified)
  if (names.length === 2 && isProperties(first)) return findProperty(names, relations, 'property')
  const isOfPerson = first.toLowerCase() === 'person' && isProperties(second)
  return names.length === 3 && isOfPerson
    ? findProperty(names, relations, 'personProperty')
    : undefined
}

function findByName(
  name: string,
  relations: readonly Relation[],
  isQualified: boolean,
): Column | undefined {
  const wanted = name.toLowerCase()
  const found = relations.flatMap((relation) =>
    isQualified || !relation.merged.has(wanted) ? (columnsByName(relation).get(wanted) ?? []) : [],
  )
  if (found.length > 1 && isCondition(name)) {
    const shown = name === FILTERS ? name : 'matchesAction'
    throw refuse(`${shown} needs a query over events alone: filter them in a subquery.`)
  }
  if (found.length > 1) {
    throw refuse(`"${name}" is in several tables. Write which one, as in e.${name}.`)
  }
  return found[0]
}

/** Tells whether a name stands for a condition on events: `{filters}` or an action. */
const isCondition = (name: string | undefined): boolean => name?.startsWith('{') ?? false

const indexes = new WeakMap<Relation, ReadonlyMap<string, readonly Column[]>>()

/** Indexes the columns of a relation, because a query can refer to a thousand of them a thousand times. */
function columnsByName(relation: Relation): ReadonlyMap<string, readonly Column[]> {
  const known = indexes.get(relation)
  if (known) return known
  const { columns, hidden = [] } = relation
  const index = Map.groupBy([...columns, ...hidden], (column) => column.name.toLowerCase())
  indexes.set(relation, index)
  return index
}

function findProperty(
  names: readonly string[],
  relations: readonly Relation[],
  reader: 'property' | 'personProperty',
): Column | undefined {
  const withProperties = relations.filter((relation) => relation[reader])
  if (withProperties.length > 1) {
    throw refuse(`Several tables have properties. Write which one, as in e.${names.join('.')}.`)
  }
  return withProperties[0]?.[reader]?.(names.at(-1) ?? '')
}

export const isProperties = (name: string | undefined): boolean =>
  name?.toLowerCase() === 'properties'

/** Returns a key that is equal for equal expressions, whatever their position and alias. */
export const toIdentity = (node: Node, scope: NameScope): string =>
  JSON.stringify(toCanonical(node, scope, []))

function toCanonical(part: unknown, scope: NameScope, within: readonly Node[]): unknown {
  if (Array.isArray(part)) return part.map((one) => toCanonical(one, scope, within))
  if (typeof part !== 'object' || part === null) return part
  const node = part as Node
  const column = findColumn(node, scope)
  if (column) return column.id
  const aliased = findAliased(node, scope)
  if (aliased && !within.includes(aliased)) {
    return scope.context.nested(() => toCanonical(aliased, scope, [...within, aliased]))
  }
  const entries = Object.entries(node).filter(
    ([key]) => key !== 'query_location' && key !== 'alias',
  )
  // names inside another query belong to that query
  if (node.class === 'SUBQUERY') return entries
  return entries.map(([key, value]) => [key, toCanonical(value, scope, within)])
}

export function findAliased(node: Node, scope: NameScope): Node | undefined {
  const names = node.class === 'COLUMN_REF' ? (node.column_names as readonly string[]) : []
  if (names.length !== 1) return undefined
  const aliased = scope.aliases.get(names[0]?.toLowerCase() ?? '')
  return aliased && !scope.expanding?.includes(aliased) ? aliased : undefined
}
