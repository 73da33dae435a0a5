import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'

type TrendsFilter = NonNullable<TrendsQuery['trendsFilter']>
type Filter = TrendsFilter | null | undefined

/** Reads the three notations that clients use; the newest one wins. */
export function listFormulas(filter: Filter): readonly string[] {
  if (filter?.formulaNodes?.length) return filter.formulaNodes.map(({ formula }) => formula)
  if (filter?.formulas?.length) return filter.formulas
  return filter?.formula ? [filter.formula] : []
}

/** Empty text removes the formula. Names set by other clients stay with their formulas. */
export function withFormula(filter: Filter, at: number, text: string): TrendsFilter {
  const { formula: _, formulas: __, formulaNodes, ...rest } = filter ?? {}
  const before = listFormulas(filter).map((formula, index) => ({
    ...formulaNodes?.[index],
    formula,
  }))
  const after =
    text === ''
      ? before.toSpliced(at, 1)
      : before.toSpliced(at, 1, { ...before[at], formula: text })
  const [only] = after
  if (!only) return rest
  if (after.length === 1 && !('custom_name' in only)) return { ...rest, formula: only.formula }
  return { ...rest, formulaNodes: after }
}

/** Returns the path of the formula in the server's error. */
export function formulaPath(filter: Filter, at: number): string {
  if (filter?.formulaNodes?.length) return `trendsFilter__formulaNodes__${at}`
  return filter?.formulas?.length ? `trendsFilter__formulas__${at}` : 'trendsFilter__formula'
}
