import { ActorOptionsQuery } from '#model/actors/actors.schema.ts'
import { toActorOptions } from '#model/actors/options.ts'
import type { JsonObject } from '#model/json.ts'
import type { Caller } from '#server/access/guard.ts'
import { type JsonText, mergeObjects, toJsonText } from '#server/http/json-text.ts'
import type { RefreshPolicy } from '../cache/refresh.ts'
import type { Overrides } from '../check/overrides.ts'
import { prepareQueries } from '../check/prepare-queries.ts'
import { toResultState, toResultValue } from '../representation.ts'
import type { QueryResult, Results } from '../results.ts'
import { parseRowQuery, parseSource } from './parse-source.ts'

interface OptionsRequest {
  readonly query: object
  readonly overrides: Overrides
  readonly policy: RefreshPolicy
}

/** Lists the values with which an ActorsQuery can choose a number of a query's result. */
export async function listActorOptions(
  results: Results,
  { projectId }: Caller,
  { query: given, overrides, policy }: OptionsRequest,
): Promise<JsonText> {
  const { query, attr } = parseRowQuery<{ readonly source?: unknown }>(ActorOptionsQuery, given, {
    needsSource: true,
  })
  const { source: located, notApplied } = parseSource(query.source, `${attr}__source`, overrides)
  const request = { query: located.source, overrides: { filters: [], variables: {} } }
  const queries = await prepareQueries([{ ...request, attr: located.attr }])
  const [result] = (await results.find(projectId, queries, policy)) as [QueryResult]
  if (result.problem) throw result.problem
  const options = toActorOptions(located.source as unknown as JsonObject, toResultValue(result))
  return mergeObjects(
    toJsonText({ results: [], ...options }),
    toResultState({ ...result, notApplied }, { isCached: false }),
  )
}
