import { sql } from 'kysely'
import { compileAggregate, isAggregate } from './aggregates.ts'
import { choose, coalesce } from './choices.ts'
import { findAliased, isProperties, locateColumn, toIdentity } from './columns.ts'
import { compareAll, compileComparison } from './comparisons.ts'
import { compile, compileAll, compileCondition } from './compile-node.ts'
import { convert } from './convert.ts'
import { refuse } from './errors.ts'
import { compileFunction } from './functions.ts'
import { parseInterval } from './intervals.ts'
import { FILTERS } from './placeholders.ts'
import type { NameScope } from './scope.ts'
import { compileSubquery } from './subqueries.ts'
import { childrenOf, type Node, readConstant, unknownPart } from './tree.ts'
import { constant, type Expression, expression, type Type } from './types.ts'
import { compileWindow } from './windows.ts'

export const compileExpression = (node: Node, scope: NameScope): Expression =>
  scope.context.nested(() => {
    const interval = parseInterval(node)
    if (interval) return interval
    const key = scope.grouping?.keys.get(toIdentity(node, scope.grouping.rows))
    return key ?? compileClass(node, scope)
  })

function compileClass(node: Node, scope: NameScope): Expression {
  switch (node.class) {
    case 'CONSTANT':
      return compileConstant(node)
    case 'COLUMN_REF':
      return compileColumn(node, scope)
    case 'CONJUNCTION':
      return compileConjunction(node, scope)
    case 'COMPARISON':
      return compileComparison(
        node.type,
        compile(node.left as Node, scope),
        compile(node.right as Node, scope),
        scope.context,
      )
    case 'BETWEEN':
      return compileBetween(node, scope)
    case 'OPERATOR':
      return compileOperator(node, scope)
    case 'CASE':
      return compileCase(node, scope)
    case 'CAST':
      return compileCast(node, scope)
    case 'FUNCTION':
      return isAggregate(node) ? compileAggregate(node, scope) : compileFunction(node, scope)
    case 'WINDOW':
      return compileWindow(node, scope)
    case 'SUBQUERY':
      return compileSubquery(node, scope)
    default:
      throw refuse(REFUSED[node.class] ?? `${String(node.class)} is not allowed in a query.`)
  }
}

const REFUSED: Record<string, string> = {
  STAR: '* can only stand alone in a SELECT, or in count(*).',
  PARAMETER: 'A query takes no parameters ($1, ?). Write the value itself.',
  POSITIONAL_REFERENCE: '#1 is not allowed. Write the name of the column.',
  COLLATE: 'COLLATE is not allowed: texts are sorted by their bytes.',
  LAMBDA: 'Lambdas and -> are not allowed. Write properties.name for a property.',
  LAMBDA_REF: 'Lambdas are not allowed.',
  DEFAULT: 'DEFAULT is not allowed in a query.',
}

function compileConstant(node: Node): Expression {
  const value = readConstant(node)
  if (value === null) return constant(null, 'Null')
  if (typeof value === 'boolean') return constant(value, 'Boolean')
  if (typeof value === 'string') {
    if (value.includes('\0')) throw refuse('A text may not hold the character NUL.')
    return constant(value, 'String')
  }
  if (value === undefined || !Number.isFinite(value)) throw refuse('A number is too large.')
  const { id } = (node.value as { type: { id: string } }).type
  if (id === 'DOUBLE' || id === 'DECIMAL') return constant(value, 'Float')
  if (!Number.isSafeInteger(value)) {
    throw refuse('A whole number has more than 15 digits. Write it with a decimal point.')
  }
  return constant(value, 'Integer')
}

/** Reads a column of a grouped outer query as one of its keys. */
function compileColumn(node: Node, scope: NameScope): Expression {
  const found = locateColumn(node, scope)
  if (!found) return compileUnknown(node, scope)
  const { column, at } = found
  if (!at.grouping) return column.use()
  const key = at.grouping.keys.get(toIdentity(node, at.grouping.rows))
  if (key) return key
  throw refuse(
    `"${column.name}" is neither in GROUP BY nor in an aggregate. Add it to GROUP BY, or write any_value(${column.name}).`,
  )
}

/** Resolves a name that is no column: a word that DuckDB parses as a column, an alias of the SELECT, or a mistake. */
function compileUnknown(node: Node, scope: NameScope): Expression {
  const names = (node.column_names as readonly string[] | undefined) ?? ['?']
  const aliased = findAliased(node, scope)
  if (aliased) {
    return compile(aliased, { ...scope, expanding: [...(scope.expanding ?? []), aliased] })
  }
  const word = names.length === 1 ? names[0]?.toLowerCase() : undefined
  if (word === 'current_date' || word === 'current_timestamp') {
    const name = word === 'current_date' ? 'today' : 'now'
    return compileFunction({ class: 'FUNCTION', type: 'FUNCTION', function_name: name }, scope)
  }
  if (isProperties(names.at(-1))) {
    throw refuse(
      "properties is not a value. Name the property: properties.plan, or properties['$browser'].",
    )
  }
  if (names.slice(0, -1).some(isProperties) || node.class !== 'COLUMN_REF') {
    throw refuse(
      `"${names.join('.')}" is no property here. Only properties at the top level can be read; a key with a dot is written properties['a.b'].`,
    )
  }
  if (names[0] === FILTERS) {
    throw refuse('{filters} filters events: it stands in the WHERE of a query over events.')
  }
  throw refuse(`There is no column "${names.join('.')}". ${listColumns(scope)}`)
}

function listColumns({ relations }: NameScope): string {
  const names = relations.flatMap(({ columns, property, personProperty }) => [
    ...columns.map(({ name }) => name),
    ...(property ? ['properties.<name>'] : []),
    ...(personProperty ? ['person.properties.<name>'] : []),
  ])
  return names.length > 0 ? `There are ${names.slice(0, 50).join(', ')}.` : 'Add a FROM.'
}

function compileConjunction(node: Node, scope: NameScope): Expression {
  const word = node.type === 'CONJUNCTION_AND' ? sql` and ` : sql` or `
  if (!['CONJUNCTION_AND', 'CONJUNCTION_OR'].includes(node.type)) throw unknownOperator(node)
  const parts = childrenOf(node).map((child) => compileCondition(child, scope))
  return expression('Boolean', parts, (_, ...written) => sql`(${sql.join(written, word)})`)
}

function compileBetween(node: Node, scope: NameScope): Expression {
  const nodes = [node.input, node.lower, node.upper] as Node[]
  const values = compareAll(compileAll(nodes, scope), scope.context)
  return expression('Boolean', values, (table, value, lower, upper) => {
    const sortable = values[0]?.type === 'String' ? table.sortable(value as never) : value
    return sql`(${sortable} between ${lower} and ${upper})`
  })
}

function compileOperator(node: Node, scope: NameScope): Expression {
  const children = childrenOf(node)
  const [first] = children
  switch (node.type) {
    case 'OPERATOR_NOT':
      return expression(
        'Boolean',
        children.map((child) => compileCondition(child, scope)),
        (_, x) => sql`(not ${x})`,
      )
    case 'OPERATOR_IS_NULL':
      return expression('Boolean', compileAll(children, scope), (_, x) => sql`((${x}) is null)`)
    case 'OPERATOR_IS_NOT_NULL':
      return expression('Boolean', compileAll(children, scope), (_, x) => sql`((${x}) is not null)`)
    case 'COMPARE_IN':
    case 'COMPARE_NOT_IN':
      return compileIn(node, scope)
    case 'OPERATOR_COALESCE':
      return coalesce(compileAll(children, scope), scope)
    case 'ARRAY_EXTRACT':
      if (first?.class === 'COLUMN_REF') return compileColumn(node, scope)
      throw refuse(
        "[ ] only reads a property, as in properties['plan'], by a name that is written out.",
      )
    default:
      throw unknownOperator(node)
  }
}

const unknownOperator = (node: Node) =>
  refuse(`${node.type.replace(/^OPERATOR_/, '')} is not allowed in a query.`)

function compileIn(node: Node, scope: NameScope): Expression {
  const values = compareAll(compileAll(childrenOf(node), scope), scope.context)
  const word = node.type === 'COMPARE_IN' ? sql`in` : sql`not in`
  return expression(
    'Boolean',
    values,
    (_, value, ...among) => sql`((${value}) ${word} (${sql.join(among)}))`,
  )
}

interface Check {
  readonly when_expr: Node
  readonly then_expr: Node
}

function compileCase(node: Node, scope: NameScope): Expression {
  const checks = node.case_checks as readonly Check[]
  const branches = checks.map((check): [Expression, Expression] => [
    compileCondition(check.when_expr, scope),
    compile(check.then_expr, scope),
  ])
  return choose(branches, compile(node.else_expr as Node, scope), scope)
}

const CASTS: Record<string, Type> = {
  BOOLEAN: 'Boolean',
  TINYINT: 'Integer',
  SMALLINT: 'Integer',
  INTEGER: 'Integer',
  BIGINT: 'Integer',
  FLOAT: 'Float',
  DOUBLE: 'Float',
  DECIMAL: 'Float',
  VARCHAR: 'String',
  DATE: 'Date',
  TIMESTAMP: 'DateTime',
  'TIMESTAMP WITH TIME ZONE': 'DateTime',
}

function compileCast(node: Node, scope: NameScope): Expression {
  const { id } = node.cast_type as { id: string }
  const type = Object.hasOwn(CASTS, id) ? CASTS[id] : undefined
  if (!type || unknownPart(node, ['class', 'type', 'alias', 'child', 'cast_type', 'try_cast'])) {
    throw refuse(
      'Only casts to int, bigint, double, decimal, text, boolean, date and timestamp are allowed.',
    )
  }
  // DuckDB parses the words true and false as casts of text
  const word = type === 'Boolean' ? readConstant(node.child as Node) : undefined
  if (word === 't' || word === 'f') return constant(word === 't', 'Boolean')
  return convert(compile(node.child as Node, scope), type, scope.context)
}
