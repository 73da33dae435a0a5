import { countsAction, listCounted, mapCounted, toActionId } from '#model/query-kinds/counted.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import { loadActions, type NamedActions } from '#server/features/events/action-rows/rules.ts'
import type { LocatedQuery } from './parse-query.ts'
import { type PreparedQuery, toQueryText } from './prepare-queries.ts'

/** Replaces the actions that queries count by their rules, so that the query of a changed action is another one. */
export async function resolveActions(
  db: Db,
  projectId: number,
  queries: readonly (PreparedQuery | ApiError)[],
): Promise<readonly (PreparedQuery | ApiError)[]> {
  const ids = queries.flatMap((query) => (query instanceof ApiError ? [] : listPreparedIds(query)))
  if (ids.length === 0) return queries
  const actions = await loadActions(db, projectId, ids)
  return queries.map((query) =>
    query instanceof ApiError || listPreparedIds(query).length === 0
      ? query
      : resolvePrepared(query, actions),
  )
}

/** Replaces the actions that one query counts by their rules. */
export async function resolveSource(
  db: Db,
  projectId: number,
  query: LocatedQuery,
): Promise<ValidQuery> {
  const ids = listIds(query.source)
  if (ids.length === 0) return query.source
  return withRules(query, await loadActions(db, projectId, ids))
}

/** Searches the text first, which is cheaper than walking through the query. */
const listPreparedIds = ({ text, source }: PreparedQuery): number[] =>
  /actions/i.test(text) ? listIds(source) : []

const listIds = (source: ValidQuery): number[] =>
  listCounted(source)
    .filter(({ node }) => countsAction(node))
    .map(({ node }) => toActionId(node))

function resolvePrepared(query: PreparedQuery, actions: NamedActions): PreparedQuery | ApiError {
  try {
    const source = withRules(query, actions)
    return { ...query, source, text: toQueryText(source) }
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

const withRules = ({ source, attr }: LocatedQuery, actions: NamedActions): ValidQuery =>
  mapCounted(source, ({ node, path, nameField }) => {
    if (!countsAction(node)) return node
    const { name, event, rules } = actions.get(toActionId(node), `${attr}__${path}__id`)
    return { ...node, [nameField]: event, name, rules }
  })
