import { parseText } from './parser.ts'
import { isFiltersPlaceholder } from './placeholders.ts'
import { childrenOf, type Node, type ParsedQuery, type SelectNode, type TableNode } from './tree.ts'

/** The only table whose rows `{filters}` matches. */
const EVENTS = 'events'

/**
 * Tells whether `{filters}` limits every row that a query reads: each SELECT from events has it among the conditions of
 * its WHERE, joined by AND, and no other table is read. Anything that this code does not know means no.
 */
export async function readsFilteredEvents(text: string): Promise<boolean> {
  return isFiltered(await parseText(text), new Set())
}

/** `names`: those that WITH gives to other parts of the query. */
function isFiltered(query: ParsedQuery, outer: ReadonlySet<string>): boolean {
  const { type, cte_map, ...parts } = query
  const names = new Set(outer)
  for (const { key, value } of cte_map?.map ?? []) {
    if (value.aliases?.some(isBraced) || !isFiltered(value.query.node, names)) return false
    names.add(key.toLowerCase())
  }
  if (type === 'SET_OPERATION_NODE') return isFilteredBelow(parts, names)
  return type === 'SELECT_NODE' && isFilteredSelect(parts as Parts, names)
}

type Parts = Pick<SelectNode, 'from_table' | 'where_clause'>

function isFilteredSelect(
  { from_table, where_clause, ...rest }: Parts,
  names: ReadonlySet<string>,
): boolean {
  const tables = listTables(from_table)?.filter((name) => !names.has(name))
  if (!tables || tables.some((name) => name !== EVENTS) || tables.length > 1) return false
  const conditions = listConditions(where_clause)
  const others = conditions.filter((condition) => !isFiltersPlaceholder(condition))
  if (tables.length > 0 && others.length === conditions.length) return false
  return isFilteredBelow([from_table, others, rest], names)
}

/** Lists the tables that a FROM names; undefined for a form that is not known. */
function listTables(from: TableNode): string[] | undefined {
  switch (from.type) {
    case 'EMPTY':
    case 'SUBQUERY':
      return []
    case 'BASE_TABLE':
      return [String(from.table_name).toLowerCase()]
    case 'JOIN': {
      const [left, right] = [from.left, from.right].map((side) => listTables(side as TableNode))
      return left && right && [...left, ...right]
    }
    default:
      return undefined
  }
}

/** Lists the conditions of a WHERE that AND joins. */
function listConditions(condition: Node | undefined): readonly Node[] {
  if (!condition) return []
  return condition.type === 'CONJUNCTION_AND'
    ? childrenOf(condition).flatMap(listConditions)
    : [condition]
}

/**
 * Checks every query inside a part. Nothing else may have the name of the placeholder, or be named after it: a condition
 * could mean that instead.
 */
function isFilteredBelow(part: unknown, names: ReadonlySet<string>): boolean {
  if (Array.isArray(part)) return part.every((each) => isFilteredBelow(each, names))
  if (typeof part !== 'object' || part === null) return true
  if (isQuery(part)) return isFiltered(part, names)
  if (isFiltersPlaceholder(part as Node)) return false
  return Object.entries(part).every(([key, each]) => {
    const isName = key === 'alias' || key === 'column_name_alias'
    return isName ? ![each].flat().some(isBraced) : isFilteredBelow(each, names)
  })
}

const isBraced = (name: unknown): boolean => String(name).includes('{')

const isQuery = (part: unknown): part is ParsedQuery =>
  typeof part === 'object' && part !== null && /_NODE$/.test(String((part as Node).type))
