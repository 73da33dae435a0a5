import { toBoxNodes } from '#model/box-nodes.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { invalid } from '#server/errors.ts'

/** Replaces each series by those of its box plot. */
export function withBoxes(query: TrendsQuery, attr: string): TrendsQuery {
  const used = listUsed(query)[0]
  if (used) {
    throw invalid(`${attr}__${used}`, 'A box plot has no breakdown, no comparison and no formula.')
  }
  for (const [index, { math_property }] of query.series.entries()) {
    if (math_property) continue
    const field = `${attr}__series__${index}__math_property`
    const detail = 'A box plot shows the values of a property: choose its median, for example.'
    throw invalid(field, detail, 'required')
  }
  return { ...query, series: query.series.flatMap(toBoxNodes) }
}

/** Lists the fields of the query that a box plot cannot show. */
function listUsed({ breakdownFilter, compareFilter, trendsFilter }: TrendsQuery): string[] {
  const { formula, formulas, formulaNodes } = trendsFilter ?? {}
  const isBrokenDown =
    breakdownFilter?.breakdowns?.length || [breakdownFilter?.breakdown ?? []].flat().length
  return [
    ...(isBrokenDown ? ['breakdownFilter'] : []),
    ...(compareFilter?.compare ? ['compareFilter__compare'] : []),
    ...(formula || formulas?.length || formulaNodes?.length ? ['trendsFilter__formula'] : []),
  ]
}
