import { hash } from 'node:crypto'
import type { Context } from '#server/analytics/queries/plan.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import { readActionRevision } from '#server/features/events/action-rows/store.ts'
import { readCohortRevision } from '#server/features/events/cohorts/store.ts'
import type { PreparedQuery } from '../check/prepare-queries.ts'

/** Increment it when a release changes the result of an unchanged query. */
const REVISION = 3

export interface KeyedQuery extends PreparedQuery {
  /** Names the result in the cache. */
  readonly key: string
}

interface Project extends Pick<Context, 'zone' | 'weekStart' | 'testAccountFilters'> {
  readonly projectId: number
}

/** Adds its key to each valid query. */
export async function addCacheKeys(
  db: Db,
  queries: readonly (PreparedQuery | ApiError)[],
  project: Project,
): Promise<(KeyedQuery | ApiError)[]> {
  const texts = queries.flatMap((query) => (query instanceof ApiError ? [] : [query.text]))
  const mayName = [JSON.stringify(project.testAccountFilters), ...texts].some(mentionsCohort)
  const revision = mayName
    ? (await readCohortRevision(db, project.projectId)) +
      (await readActionRevision(db, project.projectId)) // cohorts can name actions
    : 0
  return queries.map((query) =>
    query instanceof ApiError ? query : { ...query, key: toKey(query, project, revision) },
  )
}

/** The keys of prepared queries, which tiles keep: hashing five queries takes a tenth of reading a dashboard. */
const keys = new WeakMap<PreparedQuery, { readonly settings: string; readonly key: string }>()

/** Hashes everything a result depends on except the events and the time. */
function toKey(query: PreparedQuery, project: Project, cohortRevision: number): string {
  const { source, text } = query
  const { projectId, zone, weekStart } = project
  const testAccountFilters = 'filterTestAccounts' in source ? project.testAccountFilters : null
  const texts = [text, JSON.stringify(testAccountFilters)]
  const cohorts = texts.some(mentionsCohort) ? [cohortRevision] : []
  const settings = JSON.stringify([
    REVISION,
    ...cohorts,
    projectId,
    zone,
    weekStart,
    testAccountFilters,
  ])
  const known = keys.get(query)
  if (known?.settings === settings) return known.key
  const key = hash('sha256', `${settings.slice(0, -1)},${text}]`, 'base64url')
  keys.set(query, { settings, key })
  return key
}

/** Returns whether a query could name a cohort. Searching its text is cheaper than checking each filter or SQL. */
const mentionsCohort = (text: string): boolean => /cohort/i.test(text)
