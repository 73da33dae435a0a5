import type { CommonFields } from '#model/query-kinds/common.schema.ts'
import { kindOf, type QueryNode, writtenText } from '#model/query-kinds/index.ts'
import { isAllComplete } from '../../../properties/filters-model.ts'
import { needsProperty } from '../query-model.ts'

/** Finds what the query still needs before it can run. */
export function findIncomplete({ source }: QueryNode): string | undefined {
  const text = writtenText(source)
  if (text !== undefined) {
    return text.trim() === '' ? `Write a ${kindOf(source)?.name} query.` : undefined
  }
  const { properties } = source as CommonFields
  if (!isAllComplete(properties)) return 'Complete the filter to update the chart.'
  const series = 'series' in source ? source.series : []
  if (!series.every((node) => isAllComplete(node.properties))) {
    return 'Complete the series filter to update the chart.'
  }
  if (series.some((node) => needsProperty(node) && !node.math_property)) {
    return 'Choose a property for the measure.'
  }
  return undefined
}
