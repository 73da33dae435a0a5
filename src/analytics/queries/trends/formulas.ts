import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { type Formula, parseFormula } from './formula.ts'

export interface NamedFormula {
  readonly title: string
  readonly formula: Formula
}

/** Clients know three ways to send them; the newest that is used counts. */
export function parseFormulas(query: TrendsQuery, queryAttr: string): NamedFormula[] {
  const { formulaNodes, formulas, formula } = query.trendsFilter ?? {}
  const attr = `${queryAttr}__trendsFilter`
  const toNamed = (text: string, at: string, name?: string | null): NamedFormula => ({
    title: name || `Formula (${text})`,
    formula: parseFormula(text, query.series.length, at),
  })
  if (formulaNodes?.length) {
    return formulaNodes.map((node, index) =>
      toNamed(node.formula, `${attr}__formulaNodes__${index}__formula`, node.custom_name),
    )
  }
  if (formulas?.length) {
    return formulas.map((text, index) => toNamed(text, `${attr}__formulas__${index}`))
  }
  return formula ? [toNamed(formula, `${attr}__formula`)] : []
}
