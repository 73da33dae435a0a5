import { refuse } from './errors.ts'
import { childrenOf, type Node, type ParsedQuery } from './tree.ts'

/** The values of placeholders. They replace nodes of the parsed query, so that a value can never become SQL. */
export interface PlaceholderValues {
  readonly dateFrom?: Temporal.Instant | undefined
  readonly dateTo?: Temporal.Instant | undefined
  /** By code name. */
  readonly variables?: ReadonlyMap<string, unknown>
}

/** The placeholder that stands for a condition on events. */
export const FILTERS = '{filters}'

const DATES = {
  '{filters.dateRange.from}': 'dateFrom',
  '{filters.dateRange.to}': 'dateTo',
} as const

const VARIABLE = /^\{variables\.(\w+)\}$/

/** Replaces placeholders, which are parsed as columns, by constants. `{filters}` stays: it is a column of events. */
export function fillPlaceholders(query: ParsedQuery, values: PlaceholderValues): ParsedQuery {
  return fill(query, values) as ParsedQuery
}

function fill(part: unknown, values: PlaceholderValues): unknown {
  if (Array.isArray(part)) return part.flatMap((each) => toNodes(each, values))
  if (typeof part !== 'object' || part === null) return part
  const node = toMembership(part as Node, values)
  return Object.fromEntries(
    Object.entries(node).map(([key, each]) => [key, toNodes(each, values)[0]]),
  )
}

/** A list stands for several nodes, which only IN takes. */
function toNodes(part: unknown, values: PlaceholderValues): readonly unknown[] {
  const name = readPlaceholder(part)
  if (name === undefined) return [fill(part, values)]
  if (name === FILTERS) return [{ ...(part as Node), column_names: [FILTERS] }]
  const alias = (part as Node).alias
  const nodes = toConstants(name, values)
  return alias ? nodes.map((node) => ({ ...node, alias })) : nodes
}

/** DuckDB parses `x in {variables.list}` as a function. */
function toMembership(node: Node, values: PlaceholderValues): Node {
  const [list, value] = childrenOf(node)
  const name = readPlaceholder(list)
  const isList =
    node.function_name === 'contains' &&
    name !== undefined &&
    Array.isArray(readVariable(name, values))
  return isList ? { class: 'OPERATOR', type: 'COMPARE_IN', children: [value, list] } : node
}

export const isFiltersPlaceholder = (node: Node): boolean => readPlaceholder(node) === FILTERS

function readPlaceholder(part: unknown): string | undefined {
  const { class: kind, column_names: names } = (part ?? {}) as Partial<Node>
  if (kind !== 'COLUMN_REF' || !Array.isArray(names) || names.length !== 1) return undefined
  const name = String(names[0]).replaceAll(/\s/g, '')
  return name.startsWith('{') ? name : undefined
}

function readVariable(name: string, values: PlaceholderValues): unknown {
  const code = VARIABLE.exec(name)?.[1]
  if (code === undefined) {
    throw refuse(
      `${name.slice(0, 100)} is not known. There are {filters}, {filters.dateRange.from}, {filters.dateRange.to} and {variables.<name>}.`,
    )
  }
  if (values.variables?.has(code)) return values.variables.get(code)
  throw refuse(`There is no variable "${code}". Add it to the query's variables.`)
}

function toConstants(name: string, values: PlaceholderValues): Node[] {
  if (Object.hasOwn(DATES, name)) {
    const date = values[DATES[name as keyof typeof DATES]]
    if (date) return [toTime(date)]
    throw refuse(`${name} has no value: neither the query nor the dashboard sets that date.`)
  }
  const value = readVariable(name, values)
  if (!Array.isArray(value)) return [toConstant(value, name)]
  return value.length > 0 ? value.map((each) => toConstant(each, name)) : [toConstant(null, name)]
}

const toTime = (moment: Temporal.Instant): Node => ({
  class: 'CAST',
  type: 'OPERATOR_CAST',
  child: toConstant(moment.toString({ fractionalSecondDigits: 3 }), 'a date'),
  cast_type: { id: 'TIMESTAMP WITH TIME ZONE' },
})

function toConstant(value: unknown, name: string): Node {
  const isNothing = value === null || value === undefined
  const id = isNothing ? 'NULL' : TYPES[typeof value]
  if (!id) throw refuse(`The value of ${name} must be a text, a number, true, false or a list.`)
  const type = { id: typeof value === 'number' && !Number.isInteger(value) ? 'DOUBLE' : id }
  return {
    class: 'CONSTANT',
    type: 'VALUE_CONSTANT',
    value: { type, is_null: isNothing, ...(!isNothing && { value }) },
  }
}

/** DuckDB's names of the types that values of JSON have. */
const TYPES: Partial<Record<string, string>> = {
  string: 'VARCHAR',
  number: 'BIGINT',
  boolean: 'BOOLEAN',
}
