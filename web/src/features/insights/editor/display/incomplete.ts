import { isAllComplete } from '../filters/filters-model.ts'
import { needsProperty, type QueryNode } from '../query-model.ts'

/** What somebody has begun and not finished: nothing is asked until then. */
export function findIncomplete({ source }: QueryNode): string | undefined {
  if (source.kind === 'HogQLQuery') return source.query.trim() === '' ? 'Write a query.' : undefined
  if (!isAllComplete(source.properties)) return 'Finish the filter to see what it does.'
  const series = 'series' in source ? source.series : []
  if (!series.every(({ properties }) => isAllComplete(properties))) {
    return 'Finish the filter of the series to see what it does.'
  }
  if (series.some((node) => needsProperty(node) && !node.math_property)) {
    return 'Choose the property to compute with.'
  }
  return undefined
}
