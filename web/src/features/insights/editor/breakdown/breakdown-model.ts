import type { BreakdownFilter } from '#model/query-kinds/common.schema.ts'
import type { PropertyRef } from '../../../properties/filters-model.ts'

interface BreakdownRef extends PropertyRef {
  /** The type of groups, which the editor cannot choose but keeps. */
  readonly groupIndex?: number | null | undefined
}

/** Tells whether the result is broken down by cohorts. */
export const isByCohorts = (filter: BreakdownFilter | null | undefined): boolean =>
  filter?.breakdown_type === 'cohort' && !filter.breakdowns?.length && Boolean(filter.breakdown)

/** Lists the IDs of the cohorts, and `all` for everyone. */
export const readCohorts = (filter: BreakdownFilter | null | undefined) =>
  isByCohorts(filter) ? [filter?.breakdown ?? []].flat() : []

/** Reads the three notations that clients use: one property, a list, a list of objects. Cohorts count as one. */
export function listBreakdowns(
  filter: BreakdownFilter | null | undefined,
): readonly BreakdownRef[] {
  const { breakdown, breakdown_type, breakdown_group_type_index, breakdowns } = filter ?? {}
  if (breakdowns?.length) {
    return breakdowns.map(({ property, type, group_type_index }) =>
      toRef(property, type, group_type_index),
    )
  }
  if (isByCohorts(filter)) return [{ type: 'cohort', key: 'id' }]
  if (!breakdown) return []
  const keys = Array.isArray(breakdown) ? breakdown : [breakdown]
  return keys.map((key) => toRef(`${key}`, breakdown_type, breakdown_group_type_index))
}

const toRef = (
  key: string,
  type: BreakdownFilter['breakdown_type'],
  groupIndex: number | null | undefined,
): BreakdownRef => ({ type: type ?? 'event', key, ...(type === 'group' && { groupIndex }) })

/** Returns null if none is left. Writes the simplest notation: objects only if the types differ. */
export function withBreakdown(
  { breakdown, breakdowns, breakdown_type, breakdown_group_type_index, ...rest }: BreakdownFilter,
  at: number,
  ref: PropertyRef | undefined,
): BreakdownFilter | null {
  const before = { breakdown, breakdowns, breakdown_type, breakdown_group_type_index }
  const current = isByCohorts(before) ? [] : listBreakdowns(before)
  const refs = current.toSpliced(at, 1, ...(ref ? [ref] : []))
  const [first] = refs
  if (!first) return null
  if (first.type === 'cohort') return { ...rest, breakdown_type: 'cohort', breakdown: ['all'] }
  const { type, groupIndex } = first
  if (refs.some((each) => each.type !== type || each.groupIndex !== groupIndex)) {
    return { ...rest, breakdowns: refs.map(toObject) }
  }
  const keys = refs.map(({ key }) => key)
  return {
    ...rest,
    breakdown_type: toColumnType(type),
    breakdown: keys.length === 1 ? first.key : keys,
    ...(type === 'group' && { breakdown_group_type_index: groupIndex }),
  }
}

const toObject = ({ type, key, groupIndex }: BreakdownRef) => ({
  property: key,
  type: toColumnType(type),
  ...(type === 'group' && { group_type_index: groupIndex }),
})

/** Cohorts have no column, and are not combined with properties. */
const toColumnType = (type: PropertyRef['type']) => (type === 'cohort' ? 'event' : type)
