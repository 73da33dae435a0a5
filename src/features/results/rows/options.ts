import { toActorOptions } from '#model/actor-options.ts'
import { ActorOptionsQuery } from '#model/actors.schema.ts'
import type { Fields } from '#model/fields.ts'
import { toSourceAttr, unwrapQuery } from '#model/query-node.ts'
import type { Caller } from '#server/access/guard.ts'
import { required } from '#server/errors.ts'
import { type JsonText, mergeObjects, toJsonText } from '#server/http/json-text.ts'
import { hasEffect } from '#server/http/require-understood.ts'
import type { RefreshPolicy } from '../cache/refresh.ts'
import type { Overrides } from '../check/overrides.ts'
import { prepareQueries } from '../check/prepare-queries.ts'
import { toResultState, toResultValue } from '../representation.ts'
import type { QueryResult, Results } from '../results.ts'
import { check, parseSource } from './parse-source.ts'

export const isActorOptionsQuery = (query: object): boolean =>
  unwrapQuery(query).source.kind === 'InsightActorsQueryOptions'

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
  const { source: query, wrappers } = unwrapQuery(given)
  const attr = toSourceAttr('query', { wrappers })
  if (!hasEffect(query.source)) throw required(`${attr}__source`)
  check(ActorOptionsQuery, query, attr)
  const { source: located, unreached } = parseSource(query.source, `${attr}__source`, overrides)
  const request = { query: located.source, overrides: { filters: [], variables: {} } }
  const queries = await prepareQueries([{ ...request, attr: located.attr }])
  const [result] = (await results.find(projectId, queries, policy)) as [QueryResult]
  if (result.problem) throw result.problem
  const options = toActorOptions(located.source as unknown as Fields, toResultValue(result))
  return mergeObjects(
    toJsonText({ results: [], ...options }),
    toResultState({ ...result, unreached }, { isCached: false }),
  )
}
