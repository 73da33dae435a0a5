import { sql } from 'kysely'
import { convert } from './convert.ts'
import type { NameScope } from './scope.ts'
import { type Expression, expression, findCommonType } from './types.ts'

export function coalesce(values: readonly Expression[], scope: NameScope): Expression {
  const type = findCommonType(values, 'coalesce')
  const same = values.map((value) => convert(value, type, scope.context))
  return expression(type, same, (_, ...written) => sql`coalesce(${sql.join(written)})`)
}

/** Compiles a CASE: the first branch whose condition is true. */
export function choose(
  branches: readonly (readonly [Expression, Expression])[],
  otherwise: Expression,
  scope: NameScope,
): Expression {
  const results = [...branches.map(([, result]) => result), otherwise]
  const type = findCommonType(results, 'A choice')
  const same = results.map((result) => convert(result, type, scope.context))
  const conditions = branches.map(([condition]) => condition)
  return expression(type, [...conditions, ...same], (_, ...written) => {
    const results = written.slice(conditions.length)
    const whens = conditions.map((_, n) => sql`when ${written[n]} then ${results[n]}`)
    return sql`(case ${sql.join(whens, sql` `)} else ${results.at(-1)} end)`
  })
}
