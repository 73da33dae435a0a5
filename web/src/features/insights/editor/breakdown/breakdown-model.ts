import type { BreakdownFilter } from '#model/query-kinds/common.schema.ts'
import type { PropertyRef } from '../../../properties/filters-model.ts'

/** Reads the three notations that clients use: one property, a list, a list of objects. */
export function listBreakdowns(filter: BreakdownFilter | null | undefined): readonly PropertyRef[] {
  const { breakdown, breakdown_type, breakdowns } = filter ?? {}
  if (breakdowns?.length) {
    return breakdowns.map(({ property, type }) => ({ type: type ?? 'event', key: property }))
  }
  if (!breakdown) return []
  const keys = Array.isArray(breakdown) ? breakdown : [breakdown]
  return keys.map((key) => ({ type: breakdown_type ?? 'event', key }))
}

/** Returns null if none is left. Writes the simplest notation: objects only if the types differ. */
export function withBreakdown(
  filter: BreakdownFilter | null | undefined,
  at: number,
  ref: PropertyRef | undefined,
): BreakdownFilter | null {
  const { breakdown: _, breakdowns: __, breakdown_type: ___, ...rest } = filter ?? {}
  const refs = listBreakdowns(filter).toSpliced(at, 1, ...(ref ? [ref] : []))
  const [first] = refs
  if (!first) return null
  if (refs.some(({ type }) => type !== first.type)) {
    return {
      ...rest,
      breakdowns: refs.map(({ type, key }) => ({ property: key, type: toColumnType(type) })),
    }
  }
  const keys = refs.map(({ key }) => key)
  return {
    ...rest,
    breakdown_type: toColumnType(first.type),
    breakdown: keys.length === 1 ? first.key : keys,
  }
}

/** There is no breakdown by cohort. */
const toColumnType = (type: PropertyRef['type']) => (type === 'cohort' ? 'event' : type)
