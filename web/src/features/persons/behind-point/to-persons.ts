import { type Countable, countedGroupType } from '#model/actors/counted-groups.ts'
import type { ChartPoint } from '#model/chart.ts'
import { applyFilters } from '#model/dashboard-filters.ts'
import type { JsonObject } from '#model/json.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import { unwrapQuery } from '#model/query-node.ts'
import type { KindPersons, PointPersons, ShownChart } from './point.ts'

/** The `persons.ts` of each query kind, found by the kind's ID; SQL has none, because it has no points. */
const KINDS = import.meta.glob<KindPersons<object>>('../../insights/kinds/*/persons.ts', {
  eager: true,
  import: 'persons',
})

const findKindPersons = (query: object): KindPersons<object> | undefined =>
  KINDS[`../../insights/kinds/${kindOf(query)?.id}/persons.ts`]

/** Returns the persons behind a point; undefined if they cannot be listed. */
export function toPersons(
  { query, result, filters = [] }: ShownChart,
  point: ChartPoint,
): PointPersons | undefined {
  const source = unwrapQuery(query).source as JsonObject & { readonly kind: string }
  const filtered = applyFilters(source, filters)
  const persons = findKindPersons(query)?.toPersons(filtered, result, point)
  if (!persons) return undefined
  const { series = 0 } = persons.source as { readonly series?: number }
  const groupType = countedGroupType(filtered as Countable, series)
  return groupType === undefined ? persons : { ...persons, groupType }
}

/** Finds the point that a cell of the data table shows, if it has persons. */
export function findCellPoint(
  chart: ShownChart,
  row: number,
  column: number,
): ChartPoint | undefined {
  const point = findKindPersons(chart.query)?.pointAt(chart.result, row, column)
  return point && toPersons(chart, point) && point
}
