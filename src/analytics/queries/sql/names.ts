import { parseInterval } from './intervals.ts'
import { childrenOf, type Node, readConstant } from './tree.ts'

const LONGEST = 100

/** Names a column without an alias by its last word, or as it is written. */
export function toColumnName(node: Node): string {
  return write(node).slice(0, LONGEST) || 'column'
}

function write(node: Node): string {
  switch (node.class) {
    case 'COLUMN_REF':
      return String((node.column_names as readonly string[]).at(-1))
    case 'CONSTANT': {
      const value = readConstant(node)
      return typeof value === 'string' ? `'${value}'` : String(value).toUpperCase()
    }
    case 'CAST':
      return writeCast(node.child as Node, node.cast_type as { id: string })
    case 'COMPARISON':
      return `(${write(node.left as Node)} ${COMPARISONS[node.type] ?? '?'} ${write(node.right as Node)})`
    case 'FUNCTION':
      return writeFunction(node)
    case 'OPERATOR':
      return node.type === 'ARRAY_EXTRACT'
        ? String(readConstant(childrenOf(node)[1]))
        : `${node.type.replace(/^(OPERATOR|COMPARE)_/, '').toLowerCase()}(${writeAll(childrenOf(node))})`
    case 'WINDOW':
      return `${String(node.function_name)}(${writeAll(childrenOf(node))})`
    default:
      return node.class.toLowerCase()
  }
}

const COMPARISONS: Record<string, string> = {
  COMPARE_EQUAL: '=',
  COMPARE_NOTEQUAL: '!=',
  COMPARE_LESSTHAN: '<',
  COMPARE_GREATERTHAN: '>',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHANOREQUALTO: '>=',
}

function writeCast(child: Node, { id }: { id: string }): string {
  const value = readConstant(child)
  if (id === 'BOOLEAN' && (value === 't' || value === 'f')) return value === 't' ? 'true' : 'false'
  return write(child)
}

const writeAll = (nodes: readonly Node[]): string => nodes.map(write).join(', ')

function writeFunction(node: Node): string {
  const name = String(node.function_name)
  const children = childrenOf(node)
  if (name === 'count_star') return 'count()'
  if (parseInterval(node)) return 'interval'
  if (node.is_operator && children.length === 2) return `(${children.map(write).join(` ${name} `)})`
  return `${name}(${node.distinct ? 'DISTINCT ' : ''}${writeAll(children)})`
}

/** Makes names unique: the second `event` becomes `event_1`. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  /** The number that a name may have next, because a query can select the same column thousands of times. */
  const numbers = new Map<string, number>()
  return names.map((name) => {
    let number = numbers.get(name) ?? 0
    let unique = number === 0 ? name : `${name}_${number}`
    while (taken.has(unique)) unique = `${name}_${++number}`
    numbers.set(name, number + 1)
    taken.add(unique)
    return unique
  })
}
