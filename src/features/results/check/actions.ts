import { countsAction, listCounted, mapCounted, toActionId } from '#model/query-kinds/counted.ts'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import { findNamedActions } from '#server/analytics/queries/sql/action-names.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import {
  type ActionKey,
  loadActions,
  type NamedActions,
} from '#server/features/events/action-rows/rules.ts'
import type { LocatedQuery } from './parse-query.ts'
import { type PreparedQuery, toQueryText } from './prepare-queries.ts'

/** Replaces the actions that queries count by their rules, and adds those of SQL, so that the query of a changed action is another one. */
export async function resolveActions(
  db: Db,
  projectId: number,
  queries: readonly (PreparedQuery | ApiError)[],
): Promise<readonly (PreparedQuery | ApiError)[]> {
  const keys = queries.flatMap((query) =>
    query instanceof ApiError ? [] : listPreparedKeys(query),
  )
  if (keys.length === 0) return queries
  const actions = await loadActions(db, projectId, keys)
  return queries.map((query) =>
    query instanceof ApiError || listPreparedKeys(query).length === 0
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
  const keys = listKeys(query.source)
  if (keys.length === 0) return query.source
  return withRules(query, await loadActions(db, projectId, keys))
}

/** Searches the text first, which is cheaper than walking through the query. */
const listPreparedKeys = ({ text, source }: PreparedQuery): ActionKey[] =>
  /action/i.test(text) ? listKeys(source) : []

const listKeys = (source: ValidQuery): ActionKey[] =>
  isSql(source)
    ? findNamedActions(source.query)
    : listCounted(source)
        .filter(({ node }) => countsAction(node))
        .map(({ node }) => toActionId(node))

const isSql = (source: ValidQuery): source is HogQLQuery => source.kind === 'HogQLQuery'

function resolvePrepared(query: PreparedQuery, actions: NamedActions): PreparedQuery | ApiError {
  try {
    const source = withRules(query, actions)
    return { ...query, source, text: toQueryText(source) }
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function withRules({ source, attr }: LocatedQuery, actions: NamedActions): ValidQuery {
  if (isSql(source)) {
    const resolved: HogQLQuery = {
      ...source,
      actions: actions.list(findNamedActions(source.query)),
    }
    return resolved
  }
  return mapCounted(source, ({ node, path, nameField }) => {
    if (!countsAction(node)) return node
    const { name, event, rules } = actions.get(toActionId(node), `${attr}__${path}__id`)
    return { ...node, [nameField]: event, name, rules }
  })
}
