import { sql } from 'kysely'
import { convert } from './convert.ts'
import { refuse } from './errors.ts'
import type { CompileContext } from './scope.ts'
import { hasTimeOfDay } from './times.ts'
import { commonType, type Expression, expression, TYPE_NAMES, type Type } from './types.ts'

const OPERATORS: Record<string, ReturnType<typeof sql>> = {
  COMPARE_EQUAL: sql`=`,
  COMPARE_NOTEQUAL: sql`<>`,
  COMPARE_LESSTHAN: sql`<`,
  COMPARE_GREATERTHAN: sql`>`,
  COMPARE_LESSTHANOREQUALTO: sql`<=`,
  COMPARE_GREATERTHANOREQUALTO: sql`>=`,
  COMPARE_DISTINCT_FROM: sql`is distinct from`,
  COMPARE_NOT_DISTINCT_FROM: sql`is not distinct from`,
}

export function compileComparison(
  type: string,
  left: Expression,
  right: Expression,
  context: CompileContext,
): Expression {
  const operator = Object.hasOwn(OPERATORS, type) ? OPERATORS[type] : undefined
  if (!operator) throw refuse(`${type} is not allowed in a query.`)
  const values = compareAll([left, right], context)
  const isText = values[0]?.type === 'String'
  return expression('Boolean', values, (table, a, b) =>
    isText
      ? sql`(${table.sortable(a as never)} ${operator} ${b})`
      : sql`((${a}) ${operator} (${b}))`,
  )
}

/** Converts both sides to one type: properties are text, but `properties.amount > 10` compares numbers. */
export function compareAll(values: readonly Expression[], context: CompileContext): Expression[] {
  const type = values.reduce((known, value) => comparable(known, value, values), 'Null' as Type)
  if (type === 'Interval') throw refuse('Intervals cannot be compared. Compare times.')
  return values.map((value) => convert(value, type, context))
}

function comparable(known: Type, { type }: Expression, values: readonly Expression[]): Type {
  const common = commonType(known, type)
  if (common) return common
  const pair = [known, type].toSorted().join()
  switch (pair) {
    case 'Integer,String':
    case 'Float,String':
    case 'Boolean,Float':
      return 'Float'
    case 'Boolean,Integer':
      return 'Integer'
    case 'Boolean,String':
      return 'String'
    case 'DateTime,String':
      return 'DateTime'
    case 'Date,String':
      return values.some(({ constant }) => typeof constant === 'string' && hasTimeOfDay(constant))
        ? 'DateTime'
        : 'Date'
    default:
      throw refuse(
        `${TYPE_NAMES[known]} cannot be compared with ${TYPE_NAMES[type]}. Convert one of them.`,
      )
  }
}
