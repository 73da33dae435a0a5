import type { EventStore } from '#server/analytics/event-store.ts'
import { giveWay, mapAtMost } from '#server/concurrency.ts'
import { changeProject } from '#server/db/change.ts'
import { touchDashboardsShowing } from '#server/db/dashboard-versions.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import type { CacheReads } from '#server/telemetry/cache-reads.ts'
import { getQueryContext } from '../accounts/projects/query-context.ts'
import { isFresh, shouldCompute, toPeriod } from './cache/freshness.ts'
import type { RefreshPolicy } from './cache/refresh.ts'
import { createResultCache } from './cache/result-cache.ts'
import { listResults, type ResultRow, upsertResult } from './cache/store.ts'
import { findCohortRevision, loadContext } from './check/cohorts.ts'
import { compileSchemas } from './check/compile-schemas.ts'
import { type CheckedQuery, checkQueries, type QueryRequest } from './check/prepare-queries.ts'
import { type Computation, compute } from './compute/compute.ts'
import type { QuerySlots } from './compute/query-slots.ts'
import { createWaiters, type Waiters } from './compute/waiters.ts'

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
  readonly unreached: readonly string[]
}

export interface Results {
  /** A hit is a result that needed no computation. */
  readonly reads: Readonly<CacheReads>
  /** Returns one result per request, in order. Reads only the project's own events. */
  find(
    projectId: number,
    requests: readonly QueryRequest[],
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

const MAX_AT_ONCE_PER_REQUEST = 4
/** A request that read the cache just before the result was saved joins the finished computation. */
const REMEMBER_MS = 1000

interface RunningComputation {
  readonly waiters: Waiters
  readonly version: string
  readonly insightIds: Set<number>
  readonly done: Promise<ResultRow>
  isDone: boolean
}

/** Caches results in the database and computes each once for all concurrent requests. */
export function createResults(db: Db, events: EventStore, querySlots: QuerySlots): Results {
  const running = new Map<string, RunningComputation>()
  const cache = createResultCache(db)
  const listeners: ((computed: ComputedResult) => void)[] = []
  const reads: CacheReads = { hits: 0, misses: 0 }

  async function find(
    projectId: number,
    requests: readonly QueryRequest[],
    { when, wait, requester }: RefreshPolicy,
  ): Promise<QueryResult[]> {
    if (requests.length === 0) return []
    await compileSchemas(requests.map(({ query }) => query))
    const context = await getQueryContext(db, projectId)
    const { zone, testAccountFilters } = context
    const revision = await findCohortRevision(db, projectId, requests, testAccountFilters)
    const queries = checkQueries(projectId, requests, context, revision)
    const keys = queries.flatMap((query) => (query instanceof ApiError ? [] : [query.key]))
    const [rows, version] = await Promise.all([
      cache.list(projectId, keys),
      events.version(projectId),
    ])
    return mapAtMost(MAX_AT_ONCE_PER_REQUEST, queries, async (query) => {
      if (query instanceof ApiError) return toInvalid(query, zone)
      const row = rows.get(query.key)
      const fresh = isFresh(row, version, toPeriod(query.source, context))
      const isMiss = shouldCompute(when, row, fresh)
      reads[isMiss ? 'misses' : 'hits']++
      if (isMiss) {
        const computation = { ...query, projectId, version, context }
        const waiting = wait ? requester?.signal : undefined
        waiting?.throwIfAborted()
        const done = start(computation, when === 'always', requester?.key, waiting)
        if (wait) return toResult(query, await done, true, zone)
        done.catch(() => {}) // the next request tries again
      }
      return toResult(query, row, fresh, zone)
    })
  }

  /** Joins a computation over the same events. Over older events, or if forced and already done, starts another. */
  function start(
    computation: Computation,
    force: boolean,
    apiKey: string | undefined,
    waiting: AbortSignal | undefined,
  ): Promise<ResultRow> {
    const { key, projectId, version, insightId, source } = computation
    const current = running.get(key)
    if (
      current?.version === version &&
      !(force && current.isDone) &&
      current.waiters.add(waiting)
    ) {
      if (insightId !== undefined) current.insightIds.add(insightId)
      return current.done
    }
    const waiters = createWaiters(waiting)
    const insightIds = new Set(insightId === undefined ? [] : [insightId])
    const { signal } = waiters
    const task = () => computeAndSave(computation, insightIds, signal)
    const run = () => querySlots.run({ kind: source.kind, projectId, apiKey, signal }, task)
    const started: RunningComputation = {
      waiters,
      version,
      insightIds,
      done: current ? current.done.then(run, run) : run(),
      isDone: false,
    }
    running.set(key, started)
    const forget = () => {
      if (running.get(key) === started) running.delete(key)
    }
    started.done.then(() => {
      started.isDone = true
      setTimeout(forget, REMEMBER_MS).unref()
    }, forget)
    return started.done
  }

  async function computeAndSave(
    computation: Computation,
    insightIds: Set<number>,
    signal: AbortSignal,
  ): Promise<ResultRow> {
    const { projectId } = computation
    const context = await loadContext(db, computation)
    const row = await compute(events, { ...computation, context }, signal)
    await giveWay()
    await changeProject(db, projectId, async (tx) => {
      await upsertResult(tx, row)
      if (insightIds.size > 0) {
        await touchDashboardsShowing(tx, projectId, 'insight_id', [...insightIds])
      }
    })
    cache.set(row)
    await giveWay() // saving and sending a large result take long
    for (const listener of listeners) listener({ projectId, insightIds: [...insightIds] })
    return row
  }

  const isRunning = (key: string): boolean => running.get(key)?.isDone === false

  const toResult = (
    { key, unreached }: Pick<CheckedQuery, 'key' | 'unreached'>,
    row: ResultRow | undefined,
    fresh: boolean,
    zone: string,
  ): QueryResult => ({
    key,
    row,
    isFresh: fresh,
    isRunning: isRunning(key),
    zone,
    problem: toProblem(row),
    unreached,
  })

  return {
    reads,
    find,
    async findByKey(projectId, key) {
      const row = (await listResults(db, projectId, [key])).get(key)
      if (!row && !isRunning(key)) return undefined
      const { zone } = await getQueryContext(db, projectId)
      return toResult({ key, unreached: [] }, row, !isRunning(key), zone)
    },
    onComputed: (listener) => void listeners.push(listener),
    async close() {
      const left = [...running.values()]
      for (const { waiters } of left) waiters.end()
      await Promise.allSettled(left.map(({ done }) => done))
    },
  }
}

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
  unreached: [],
})
