import type { EventStore } from '#server/analytics/event-store.ts'
import { mentionsImports } from '#server/analytics/queries/sql/imports.ts'
import { mapAtMost } from '#server/concurrency.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import { readImportRevision } from '#server/features/import-apps/health/sql-rows.ts'
import type { CacheReads } from '#server/telemetry/cache-reads.ts'
import { giveWay } from '#server/turns.ts'
import { getQueryContext } from '../accounts/projects/query-context.ts'
import { addCacheKeys } from './cache/cache-key.ts'
import { isFresh, shouldCompute, toPeriod } from './cache/freshness.ts'
import type { RefreshPolicy } from './cache/refresh.ts'
import { createResultCache } from './cache/result-cache.ts'
import { listResults, type ResultRow } from './cache/store.ts'
import { resolveActions } from './check/actions.ts'
import type { PreparedQuery } from './check/prepare-queries.ts'
import { createComputations } from './compute/computations.ts'
import { type Computation, computeAll } from './compute/compute.ts'
import { groupShared } from './compute/group-shared.ts'
import type { QuerySlots } from './compute/query-slots.ts'

/** The cached result of a query, if there is one, and its state. */
export interface QueryResult {
  readonly key: string
  readonly row: ResultRow | undefined
  readonly isFresh: boolean
  readonly isRunning: boolean
  readonly zone: string
  /** The reason why an invalid query has no result. */
  readonly problem: ApiError | undefined
  /** The keys of the overriding filters that cannot change the result. */
  readonly notApplied: readonly string[]
}

export interface Results {
  /** A hit is a result that needed no computation. */
  readonly reads: Readonly<CacheReads>
  /** Returns one result per query, in order. Reads only the project's own events. */
  find(
    projectId: number,
    queries: readonly (PreparedQuery | ApiError)[],
    policy: RefreshPolicy,
  ): Promise<QueryResult[]>
  /** Finds the result or the running computation with this cache key. */
  findByKey(projectId: number, key: string): Promise<QueryResult | undefined>
  /** Calls the listener after each computation. */
  onComputed(listener: (computed: ComputedResult) => void): void
  close(): Promise<void>
}

export interface ComputedResult {
  readonly projectId: number
  /** The insights whose query it is. */
  readonly insightIds: readonly number[]
}

interface ResultDeps {
  readonly db: Db
  readonly events: EventStore
  readonly querySlots: QuerySlots
}

const MAX_AT_ONCE_PER_REQUEST = 4

/**
 * Finds results in these steps:
 *
 * 1. Prepare: `prepareQueries` checks the queries and applies overrides. Callers do it, and keep what they show again.
 * 2. Look up: `resolveActions` replaces actions by their rules, `addCacheKeys` hashes what a result depends on, `ResultCache` finds its row.
 * 3. Decide: `shouldCompute` compares the row with the events, the period and the policy of the request.
 * 4. Compute: `groupShared` joins what reads the same events; `Computations` runs `computeAll` once for all concurrent
 *    requests, in a slot of the first.
 * 5. Save: `ResultCache` writes the row and increases the versions of the dashboards that show it.
 * 6. Notify: listeners learn whose result is new.
 */
export function createResults({ db, events, querySlots }: ResultDeps): Results {
  const cache = createResultCache(db)
  const listeners: ((computed: ComputedResult) => void)[] = []
  const reads: CacheReads = { hits: 0, misses: 0 }

  const computations = createComputations(querySlots, async (shared, insightIds, signal) => {
    const settled = await computeAll({ db, events }, shared, signal)
    const saved = settled.map(async (each, index) => {
      if (each.status === 'rejected') throw each.reason
      await save(each.value, insightIds[index] as ReadonlySet<number>)
      return each.value
    })
    return Promise.allSettled(saved)
  })

  async function save(row: ResultRow, insightIds: ReadonlySet<number>): Promise<void> {
    await giveWay()
    await cache.save(row, insightIds)
    await giveWay() // saving and sending a large result take long
    const computed = { projectId: row.project_id, insightIds: [...insightIds] }
    for (const listener of listeners) listener(computed)
  }

  async function find(
    projectId: number,
    queries: readonly (PreparedQuery | ApiError)[],
    policy: RefreshPolicy,
  ): Promise<QueryResult[]> {
    if (queries.length === 0) return []
    const context = await getQueryContext(db, projectId)
    const { zone } = context
    const resolved = await resolveActions(db, projectId, queries)
    const keyed = await addCacheKeys(db, resolved, { projectId, ...context })
    const keys = keyed.flatMap((query) => (query instanceof ApiError ? [] : [query.key]))
    const [rows, eventsVersion, importsVersion] = await Promise.all([
      cache.list(projectId, keys),
      events.version(projectId),
      queries.some(readsImports) ? readImportRevision(db, projectId) : '',
    ])
    const missing: Computation[] = []
    const found = keyed.map((query) => {
      if (query instanceof ApiError) return query
      const row = rows.get(query.key)
      const version = readsImports(query) ? `${eventsVersion} ${importsVersion}` : eventsVersion
      const fresh = isFresh(row, version, toPeriod(query.source, context))
      const isMiss = shouldCompute(policy.when, row, fresh)
      reads[isMiss ? 'misses' : 'hits']++
      if (isMiss) missing.push({ ...query, projectId, version, context })
      return { query, row, isFresh: fresh }
    })
    const computed = await computeMissing(missing, policy)
    return found.map((each) => {
      if (each instanceof ApiError) return toInvalid(each, zone)
      const row = computed.get(each.query.key)
      return toResult(each.query, { row: row ?? each.row, isFresh: each.isFresh || !!row, zone })
    })
  }

  /** Returns the computed rows by key, if the policy waits for them. */
  async function computeMissing(
    missing: readonly Computation[],
    policy: RefreshPolicy,
  ): Promise<Map<string, ResultRow>> {
    const rows = await mapAtMost(MAX_AT_ONCE_PER_REQUEST, groupShared(missing), (shared) =>
      computations.join(shared, policy),
    )
    return new Map(rows.flat().flatMap((row) => (row ? [[row.key, row]] : [])))
  }

  const toResult = (
    { key, notApplied }: Pick<QueryResult, 'key' | 'notApplied'>,
    found: Pick<QueryResult, 'row' | 'isFresh' | 'zone'>,
  ): QueryResult => ({
    key,
    row: found.row,
    isFresh: found.isFresh,
    isRunning: computations.isRunning(key),
    zone: found.zone,
    problem: toProblem(found.row),
    notApplied,
  })

  return {
    reads,
    find,
    async findByKey(projectId, key) {
      const row = (await listResults(db, projectId, [key])).get(key)
      const isRunning = computations.isRunning(key)
      if (!row && !isRunning) return undefined
      const { zone } = await getQueryContext(db, projectId)
      return toResult({ key, notApplied: [] }, { row, isFresh: !isRunning, zone })
    },
    onComputed: (listener) => void listeners.push(listener),
    close: computations.close,
  }
}

const readsImports = (query: PreparedQuery | ApiError): boolean =>
  !(query instanceof ApiError) && query.source.kind === 'HogQLQuery' && mentionsImports(query.text)

function toProblem(row: ResultRow | undefined): ApiError | undefined {
  if (!row?.problem) return undefined
  const { code, message, attr } = JSON.parse(row.problem)
  return new ApiError(code, message, attr)
}

const toInvalid = (problem: ApiError, zone: string): QueryResult => ({
  key: '',
  row: undefined,
  isFresh: true,
  isRunning: false,
  zone,
  problem,
  notApplied: [],
})
