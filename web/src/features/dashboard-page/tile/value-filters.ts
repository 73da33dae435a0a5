import type { ChartPoint } from '#model/chart.ts'
import { NONE, OTHER } from '#model/format.ts'
import { fieldsOf, listOf } from '#model/json.ts'
import type { BreakdownFilter } from '#model/query-kinds/common.schema.ts'
import { unwrapQuery } from '#model/query-node.ts'
import type { SearchFilter } from '../../dashboard-list/search.ts'
import type { ShownChart } from '../../persons/behind-point/point.ts'

/** Separates the values of several properties in a result. */
const BETWEEN = '::'

/** Converts the breakdown value of a point to filters. Undefined if it has none, or stands for several values. */
export function toValueFilters(
  { query, result }: ShownChart,
  { series }: ChartPoint,
): readonly SearchFilter[] | undefined {
  const given = listOf<unknown>(result)[series]
  const { breakdown_value: value, breakdown_label: label } = fieldsOf(
    Array.isArray(given) ? given[0] : given,
  )
  const filter = unwrapQuery(query).source.breakdownFilter as BreakdownFilter | null | undefined
  if (!filter || value === undefined || value === null || value === OTHER) return undefined
  if (filter.breakdown_type === 'cohort' && !filter.breakdowns?.length) {
    if (value === 'all') return undefined
    const cohort = { key: 'id', type: 'cohort', operator: 'in', value: Number(value) } as const
    return [{ ...cohort, ...(typeof label === 'string' && { cohort_name: label }) }]
  }
  const properties = listProperties(filter)
  const values = properties.length === 1 ? [String(value)] : String(value).split(BETWEEN)
  if (values.length !== properties.length || values.includes(OTHER)) return undefined
  return properties.map((property, index) => {
    const text = values[index] as string
    return text === NONE
      ? { ...property, operator: 'is_not_set' as const }
      : { ...property, operator: 'exact' as const, value: [text] }
  })
}

type Property = Pick<SearchFilter, 'key' | 'type' | 'group_type_index'>

function listProperties(filter: BreakdownFilter): readonly Property[] {
  const { breakdown, breakdown_type: type, breakdown_group_type_index: groupType } = filter
  if (filter.breakdowns?.length) {
    return filter.breakdowns.map(({ property, type: own, group_type_index }) =>
      toProperty(property, own, group_type_index),
    )
  }
  return [breakdown ?? []].flat().map((key) => toProperty(String(key), type, groupType))
}

const toProperty = (
  key: string,
  type: Property['type'],
  groupType: number | null | undefined,
): Property => ({
  key,
  type: type ?? 'event',
  ...(typeof groupType === 'number' && { group_type_index: groupType }),
})
