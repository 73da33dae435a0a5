import type { SavedFilter } from './filters-model.ts'

/** Drops malformed filters: the URL may be hand-written. */
export function toPropertyFilters(value: unknown): readonly SavedFilter[] | undefined {
  if (!Array.isArray(value)) return undefined
  const filters = value.filter(
    (each) => typeof each?.key === 'string' && typeof (each.operator ?? '') === 'string',
  )
  if (filters.length === 0) return undefined
  return filters.map(({ operator = 'exact', ...filter }) => ({ ...filter, operator }))
}
