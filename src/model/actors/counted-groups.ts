/** The fields of a query that choose what it counts. */
export interface Countable {
  readonly aggregation_group_type_index?: number | null
  readonly series?: readonly CountableSeries[]
}

interface CountableSeries {
  readonly math?: string | null
  readonly math_group_type_index?: number | null
}

/** Returns the index of the type of groups that a number of a series counts; undefined if it counts persons. */
export function countedGroupType(
  { aggregation_group_type_index, series }: Countable,
  place: number,
): number | undefined {
  const { math, math_group_type_index } = series?.[place] ?? {}
  const index = math === 'unique_group' ? math_group_type_index : aggregation_group_type_index
  return index ?? undefined
}
