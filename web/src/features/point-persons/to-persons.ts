import type { Chart, ChartPoint } from '#model/chart.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import { unwrapQuery } from '#model/query-node.ts'
import type { KindPersons, PointPersons } from './point.ts'

type Result = Pick<Chart, 'query' | 'result'>

/** The `persons.ts` of each query kind, found by the kind's ID; SQL has none, because it has no points. */
const KINDS = import.meta.glob<KindPersons<object>>('../insights/kinds/*/persons.ts', {
  eager: true,
  import: 'persons',
})

const personsOf = (query: object): KindPersons<object> | undefined =>
  KINDS[`../insights/kinds/${kindOf(query)?.id}/persons.ts`]

/** Returns the persons behind a point; undefined if they cannot be listed. */
export const toPersons = ({ query, result }: Result, point: ChartPoint): PointPersons | undefined =>
  personsOf(query)?.toPersons(unwrapQuery(query).source, result, point)

/** Returns the point that a cell of the data table shows, if it has persons. */
export function findCellPoint(
  { query, result }: Result,
  row: number,
  column: number,
): ChartPoint | undefined {
  const point = personsOf(query)?.pointAt(result, row, column)
  return point && toPersons({ query, result }, point) && point
}
