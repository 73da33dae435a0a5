import { findKind } from '#model/query-kinds/index.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Context } from '#server/analytics/queries/plan.ts'
import type { QueryOutput, ValidQuery } from '#server/analytics/queries/run-query.ts'
import {
  HeavyQueryError,
  MAX_RESULT_LENGTH,
  resultTooLarge,
} from '#server/analytics/query-errors.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import { withNamedCohorts } from '#server/features/events/cohorts/definitions.ts'
import { mapInTurns } from '#server/turns.ts'
import type { KeyedQuery } from '../cache/cache-key.ts'
import { toPeriod } from '../cache/freshness.ts'
import type { ResultRow } from '../cache/store.ts'
import { withImports } from '../check/imports.ts'
import { namePersons } from './name-persons.ts'

/** A query and everything else its result depends on. */
export interface Computation extends KeyedQuery {
  readonly projectId: number
  /** The version of the project's events. */
  readonly version: string
  readonly context: Omit<Context, 'attr'>
}

const TIMEOUT_MS = 60_000
/** Shorter for SQL, because users can write SQL that never ends, unlike the other kinds. */
export const TEXT_TIMEOUT_MS = 20_000
export const toTimeout = (source: ValidQuery | undefined): number =>
  findKind(source?.kind)?.textField ? TEXT_TIMEOUT_MS : TIMEOUT_MS

interface ComputeDeps {
  readonly db: Db
  readonly events: EventStore
}

/** The computations of one slot: a single one, or several of the same project and `toShareKey`. */
export type SharedComputations = readonly [Computation, ...Computation[]]

/** Computes results together if there are several. If that fails, computes each, so that each has its own error. */
export async function computeAll(
  deps: ComputeDeps,
  computations: SharedComputations,
  signal: AbortSignal,
): Promise<PromiseSettledResult<ResultRow>[]> {
  const together =
    computations.length > 1 ? await computeTogether(deps, computations, signal) : undefined
  if (together) return Promise.allSettled(together)
  const settled: PromiseSettledResult<ResultRow>[] = []
  for (const each of computations) {
    settled.push(...(await Promise.allSettled([compute(deps, each, signal)])))
  }
  return settled
}

async function computeTogether(
  { db, events }: ComputeDeps,
  computations: SharedComputations,
  signal: AbortSignal,
): Promise<ResultRow[] | undefined> {
  const [{ projectId, attr, context: settings }] = computations
  const sources = computations.map(({ source }) => source)
  const naming = [...sources, settings.testAccountFilters]
  const context = { ...(await withNamedCohorts(db, projectId, settings, naming)), attr }
  const { runTogether } = await import('#server/analytics/queries/run-query.ts')
  const planRun = { store: events, projectId, timeoutMs: TIMEOUT_MS, signal }
  const start = performance.now()
  try {
    const outputs = await runTogether(planRun, sources, context)
    const shareMs = (performance.now() - start) / computations.length
    return await Promise.all(
      computations.map(async (computation, index) =>
        toRow(
          computation,
          await toOutcome(() => namePersons(events, computation, outputs[index] as QueryOutput)),
          shareMs,
        ),
      ),
    )
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

async function compute(
  { db, events }: ComputeDeps,
  computation: Computation,
  signal: AbortSignal,
): Promise<ResultRow> {
  const { projectId, source, attr, context: settings } = computation
  const naming = [source, settings.testAccountFilters]
  const named = await withNamedCohorts(db, projectId, settings, naming)
  const context = { ...(await withImports(db, projectId, named, source)), attr }
  const { runQuery } = await import('#server/analytics/queries/run-query.ts') // loads a hundred modules
  const planRun = { store: events, projectId, timeoutMs: toTimeout(source), signal }
  const start = performance.now()
  const outcome = await toOutcome(async () =>
    namePersons(events, computation, await runQuery(planRun, source, context)),
  )
  return toRow(computation, outcome, performance.now() - start)
}

const toRow = (
  { key, projectId, version, source, context }: Computation,
  outcome: Outcome,
  durationMs: number,
): ResultRow => ({
  key,
  project_id: projectId,
  version,
  period: toPeriod(source, context),
  results: outcome.results,
  details: outcome.details,
  problem: outcome.problem,
  computed_at: new Date().toISOString(),
  duration_ms: Math.round(durationMs),
})

type Outcome = Pick<ResultRow, 'results' | 'details' | 'problem'>

/** Keeps the error of an invalid or too heavy query like a result; any other error is thrown and not cached. */
async function toOutcome(run: () => Promise<QueryOutput>): Promise<Outcome> {
  try {
    const { results, ...details } = await run()
    const text = await toResultText(results)
    return { results: text, details: JSON.stringify(details), problem: null }
  } catch (error) {
    if (!(error instanceof ApiError) || !isErrorOfQuery(error)) throw error
    const { code, message, attr } = error
    return { results: null, details: '{}', problem: JSON.stringify({ code, message, attr }) }
  }
}

/** Writes the items of a result one by one, in as many turns of the event loop as it takes. */
async function toResultText(results: unknown): Promise<string> {
  if (!Array.isArray(results)) return JSON.stringify(results)
  let length = 0
  const items = await mapInTurns(results, (item) => {
    const text = JSON.stringify(item)
    length += text.length + 1
    if (length > MAX_RESULT_LENGTH) throw resultTooLarge()
    return text
  })
  return `[${items.join()}]`
}

const isErrorOfQuery = (error: ApiError): boolean =>
  error.code !== 'unavailable' || error instanceof HeavyQueryError
