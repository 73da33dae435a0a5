import type { RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import { invalid } from '#server/errors.ts'
import type { ActorSet, InsightPoint } from '../actors.ts'
import type { Context } from '../plan.ts'
import { parseRetention, requireRetention } from './compile.ts'
import { selectReturningEvents, selectReturningPersons } from './count-persons.ts'

/** Selects the persons of a cell: `interval` is the row, `returned` the column. The first column is the whole cohort. */
export function selectRetentionQueryActors(
  query: RetentionQuery,
  { interval, returned, attr }: InsightPoint,
  context: Context,
): ActorSet {
  const retention = parseRetention(query, context)
  const { length } = retention.range.buckets
  const cohort = interval ?? 0
  const period = cohort + (returned ?? 0)
  if (cohort >= length) throw invalid(`${attr}__interval`, 'The result has no such row.')
  if (period >= length) throw invalid(`${attr}__returned`, 'This row has no such column.')
  const cell = { cohort, period }
  return {
    ...requireRetention(retention, context),
    toSql: (table) => selectReturningPersons(table, retention, cell, context),
    toEvents: (table) => selectReturningEvents(table, retention, cell, context),
  }
}
