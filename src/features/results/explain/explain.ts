import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Requester } from '#server/access/requester.ts'
import { invalid } from '#server/errors.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { withNamedCohorts } from '#server/features/events/cohorts/definitions.ts'
import { resolveSource } from '../check/actions.ts'
import { withImports } from '../check/imports.ts'
import { parseQuery } from '../check/parse-query.ts'
import { toTimeout } from '../compute/compute.ts'
import type { RowDeps } from '../rows/run-source.ts'
import type { Explanation } from './schema.ts'
import { explain } from './words.ts'

interface ExplainRequest {
  readonly query: object
  readonly requester: Requester
  readonly signal: AbortSignal
}

/** Runs SQL in a query slot of the caller's key, and says in words what it did. */
export async function explainQuery(
  { db, events, querySlots }: RowDeps,
  { projectId }: Caller,
  { query, requester, signal: allowed }: ExplainRequest,
): Promise<Explanation> {
  const located = parseQuery(query)
  const { source, attr } = located
  if (source.kind !== 'HogQLQuery') throw invalid(`${attr}__kind`, 'Only SQL can be explained.')
  const signal = AbortSignal.any([allowed, requester.signal])
  const slot = { kind: source.kind, projectId, apiKey: requester.key, signal }
  return querySlots.run(slot, async () => {
    const settings = await getQueryContext(db, projectId)
    const resolved = (await resolveSource(db, projectId, located)) as HogQLQuery
    const naming = [settings.testAccountFilters, resolved]
    const named = await withNamedCohorts(db, projectId, settings, naming)
    const context = { ...(await withImports(db, projectId, named, resolved)), attr }
    const { explainSql } = await import('#server/analytics/queries/explain.ts')
    const run = { store: events, projectId, timeoutMs: toTimeout(source), signal }
    const { result, milliseconds, steps } = await explainSql(run, resolved, context)
    const rows = result.results.length
    return explain({
      ...{ text: resolved.query, steps, milliseconds },
      ...{ rows, hasMore: result.hasMore ?? false },
    })
  })
}
