import type { QueryNode } from '#model/query-kinds/index.ts'
import { isAllComplete } from '../filters/filters-model.ts'
import { needsProperty } from '../query-model.ts'

/** Says what is missing before the query can run. */
export function findIncomplete({ source }: QueryNode): string | undefined {
  if (source.kind === 'HogQLQuery')
    return source.query.trim() === '' ? 'Write a SQL query.' : undefined
  if (!isAllComplete(source.properties)) return 'Complete the filter to update the chart.'
  const series = 'series' in source ? source.series : []
  if (!series.every(({ properties }) => isAllComplete(properties))) {
    return 'Complete the series filter to update the chart.'
  }
  if (series.some((node) => needsProperty(node) && !node.math_property)) {
    return 'Choose a property for the measure.'
  }
  return undefined
}
