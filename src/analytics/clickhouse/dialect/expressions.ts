import { childrenOf, type Node, type ParsedQuery } from '#server/analytics/queries/sql/tree.ts'
import { writeAggregate } from './aggregates.ts'
import { type Constant, toValue, writeCast, writeForm } from './casts.ts'
import { FUNCTIONS } from './functions.ts'
import { type Form, toLiteral } from './literals.ts'
import { writeOnce } from './once.ts'
import { columnNames, findType, quoteName, type Writer } from './scope.ts'
import { addInterval, castTime } from './times.ts'
import { untranslatable } from './tree.ts'
import { PARSED_TYPES, type Piece, unite } from './types.ts'
import { writeWindow } from './windows.ts'

const CLASSES: Readonly<Record<string, (node: Node, writer: Writer) => Piece>> = {
  BETWEEN: writeBetween,
  CASE: writeCase,
  CAST: writeCast,
  COLUMN_REF: writeColumn,
  COMPARISON: writeComparison,
  CONJUNCTION: writeConjunction,
  CONSTANT: writeConstant,
  FUNCTION: writeFunction,
  OPERATOR: writeOperator,
  PARAMETER: (node) => ({ text: writeForm(node, 'value') as string, type: 'null' }),
  SUBQUERY: (node, writer) => writeSubquery(node, writer),
  WINDOW: writeWindow,
}

/** Translates an expression. What it does not know is refused: ignoring it could change a number. */
export function writeExpression(node: Node, writer: Writer): Piece {
  const write = Object.hasOwn(CLASSES, node.class) ? CLASSES[node.class] : undefined
  if (!write) throw untranslatable(node.class)
  return write(node, writer)
}

/** Translates the condition of a WHERE, in which NULL is the same as false. */
export function writeFilter(node: Node, writer: Writer): string {
  if (node.class === 'SUBQUERY') return writeSubquery(node, writer, true).text
  if (node.class !== 'CONJUNCTION') return writer.write(node).text
  return joinConditions(
    node,
    childrenOf(node).map((child) => writeFilter(child, writer)),
  )
}

const toCondition = (text: string): Piece => ({ text, type: 'boolean' })

function writeColumn(node: Node, { scope }: Writer): Piece {
  const names = columnNames(node)
  const type = findType(names, scope)
  if (!type) throw untranslatable(`The column ${names.join('.')}`)
  return { text: names.map(quoteName).join('.'), type }
}

function writeConstant(node: Node): Piece {
  const { type, is_null, value } = node.value as Constant
  if (is_null) return { text: 'NULL', type: 'null' }
  const known = PARSED_TYPES[type.id]
  if (!known) throw untranslatable(`A constant of type ${type.id}`)
  if (type.id === 'DECIMAL') {
    return { text: toLiteral(`${value}e-${type.type_info?.scale ?? 0}`, 'float'), type: 'float' }
  }
  return { text: toLiteral(value, known === 'float' ? 'float' : 'value'), type: known }
}

const COMPARISONS: Readonly<Record<string, string>> = {
  COMPARE_EQUAL: '=',
  COMPARE_NOTEQUAL: '<>',
  COMPARE_LESSTHAN: '<',
  COMPARE_GREATERTHAN: '>',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHANOREQUALTO: '>=',
}

function writeComparison(node: Node, { write }: Writer): Piece {
  const [left, right] = [write(node.left as Node).text, write(node.right as Node).text]
  if (node.type === 'COMPARE_NOT_DISTINCT_FROM') return toCondition(isSame(left, right))
  if (node.type === 'COMPARE_DISTINCT_FROM') return toCondition(`(not ${isSame(left, right)})`)
  const operator = COMPARISONS[node.type]
  if (!operator) throw untranslatable(node.type)
  return toCondition(`(${left} ${operator} ${right})`)
}

const isSame = (left: string, right: string): string =>
  writeOnce(left, (a) =>
    writeOnce(right, (b) => `ifNull(${a} = ${b}, isNull(${a}) and isNull(${b}))`),
  )

function writeConjunction(node: Node, { write }: Writer): Piece {
  return toCondition(
    joinConditions(
      node,
      childrenOf(node).map((child) => write(child).text),
    ),
  )
}

const joinConditions = ({ type }: Node, conditions: readonly string[]): string =>
  `(${conditions.join(type === 'CONJUNCTION_AND' ? ' and ' : ' or ')})`

function writeBetween(node: Node, { write }: Writer): Piece {
  const [value, lower, upper] = [node.input, node.lower, node.upper].map(
    (part) => write(part as Node).text,
  )
  return toCondition(`(${value} between ${lower} and ${upper})`)
}

function writeOperator(node: Node, { write }: Writer): Piece {
  const pieces = childrenOf(node).map(write)
  const [first, ...others] = pieces.map(({ text }) => text)
  switch (node.type) {
    case 'OPERATOR_NOT':
      return toCondition(`(not ${first})`)
    case 'OPERATOR_IS_NULL':
      return toCondition(`isNull(${first})`)
    case 'OPERATOR_IS_NOT_NULL':
      return toCondition(`isNotNull(${first})`)
    case 'COMPARE_IN':
      return toCondition(isAmong(first as string, others, areConstants(node)))
    case 'COMPARE_NOT_IN':
      return toCondition(`(not ${isAmong(first as string, others, areConstants(node))})`)
    case 'OPERATOR_COALESCE':
      return withOneType(pieces, (texts) => `coalesce(${texts.join(', ')})`)
    default:
      throw untranslatable(node.type)
  }
}

const areConstants = (node: Node): boolean =>
  childrenOf(node)
    .slice(1)
    .every((child) => {
      const inner = child.class === 'CAST' ? (child.child as Node) : child
      return (
        inner.class === 'PARAMETER' ||
        (inner.class === 'CONSTANT' && !(inner.value as Constant).is_null)
      )
    })

/** Compares with each value if one may be NULL: it makes the result NULL, while ClickHouse's IN skips it. */
const isAmong = (value: string, list: readonly string[], areConstants: boolean): string =>
  areConstants
    ? `(${value} in (${list.join(', ')}))`
    : `(${writeOnce(value, (one) => list.map((other) => `${one} = ${other}`).join(' or '))})`

/** Gives values one type: in ClickHouse, whole and other numbers have none in common. */
function withOneType(
  pieces: readonly Piece[],
  toText: (texts: readonly string[]) => string,
): Piece {
  const type = unite(pieces.map((piece) => piece.type))
  const texts = pieces.map((piece) =>
    type === 'float' && piece.type !== 'float' && piece.type !== 'null'
      ? `toFloat64(${piece.text})`
      : toValue(piece),
  )
  return { text: toText(texts), type }
}

interface Check {
  readonly when_expr: Node
  readonly then_expr: Node
}

function writeCase(node: Node, { write }: Writer): Piece {
  const checks = node.case_checks as readonly Check[]
  const conditions = checks.map(({ when_expr }) => `ifNull(${write(when_expr).text}, false)`)
  const results = [...checks.map(({ then_expr }) => then_expr), node.else_expr as Node].map(write)
  return withOneType(results, (texts) => {
    const branches = conditions.map((condition, index) => `${condition}, ${texts[index]}`)
    return `multiIf(${branches.join(', ')}, ${texts.at(-1)})`
  })
}

function writeFunction(node: Node, writer: Writer): Piece {
  const name = String(node.function_name)
  const aggregate = writeAggregate(node, writer) ?? writeAddition(name, node, writer)
  if (aggregate) return aggregate
  const translate = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  if (!translate || node.filter || node.distinct) throw untranslatable(`The function ${name}`)
  return translate(childrenOf(node).map(writer.write))
}

/** Writes a time plus or minus an interval; undefined for other functions. */
function writeAddition(name: string, node: Node, { write }: Writer): Piece | undefined {
  const [left, right] = childrenOf(node)
  const isInterval = (right?.cast_type as { id: string } | undefined)?.id === 'INTERVAL'
  if (!left || !right || !isInterval || (name !== '+' && name !== '-')) return undefined
  const part = (form: Form): string => {
    const text = writeForm(right.child as Node, form)
    if (text === undefined) throw untranslatable('A computed interval')
    return text
  }
  const time = write(left)
  return addInterval(time.type === 'date' ? castTime(time, 'local') : time, name, {
    months: part('months'),
    milliseconds: part('milliseconds'),
  })
}

/**
 * Writes a subquery. IN is NULL if the value is not found among values of which one is NULL, while ClickHouse skips
 * NULL; in a filter it is the same.
 */
function writeSubquery(node: Node, { scope, write, writeQuery }: Writer, isFilter = false): Piece {
  const { text, columns } = writeQuery((node.subquery as { node: ParsedQuery }).node, {
    relations: new Map(),
    tables: scope.tables,
    outer: scope,
  })
  const [type = 'null'] = columns.values()
  if (node.subquery_type === 'EXISTS') return toCondition(`exists (${text})`)
  if (node.subquery_type === 'SCALAR') return { text: `(${text})`, type }
  if (node.subquery_type !== 'ANY' || node.comparison_type !== 'COMPARE_EQUAL') {
    throw untranslatable('A subquery')
  }
  const isFound = `(${write(node.child as Node).text} in (${text}))`
  if (isFilter) return toCondition(isFound)
  const [name] = columns.keys()
  const hasNull = `(select count() > count(${quoteName(name as string)}) from (${text}) as listed)`
  return toCondition(`multiIf(${isFound}, true, ${hasNull}, NULL, false)`)
}
