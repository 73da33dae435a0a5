import type { BreakdownFilter } from '#model/query-kinds/common.schema.ts'

/** Reads the three notations that clients use: one property, a list, a list of objects. */
export function listBreakdowns(filter: BreakdownFilter | null | undefined): readonly string[] {
  if (filter?.breakdowns?.length) return filter.breakdowns.map(({ property }) => property)
  const { breakdown } = filter ?? {}
  if (!breakdown) return []
  return Array.isArray(breakdown) ? breakdown : [breakdown]
}

/** Returns null if none is left. Normalizes the notation. */
export function withBreakdown(
  filter: BreakdownFilter | null | undefined,
  at: number,
  name: string | null,
): BreakdownFilter | null {
  const { breakdown: _, breakdowns: __, breakdown_type, ...rest } = filter ?? {}
  const before = listBreakdowns(filter)
  const names = name === null ? before.toSpliced(at, 1) : before.toSpliced(at, 1, name)
  if (names.length === 0) return null
  return {
    ...rest,
    breakdown_type: breakdown_type ?? 'event',
    breakdown: names.length === 1 ? names[0] : names,
  }
}
