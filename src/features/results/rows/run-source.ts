import type { Caller } from '#server/access/guard.ts'
import type { Requester } from '#server/access/requester.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { ActorSet } from '#server/analytics/queries/actors.ts'
import type { Context } from '#server/analytics/queries/plan.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import type { Db } from '#server/db/schema.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { withNamedCohorts } from '#server/features/events/cohorts/definitions.ts'
import { resolveSource } from '../check/actions.ts'
import { withImports } from '../check/imports.ts'
import { toTimeout } from '../compute/compute.ts'
import type { QuerySlots } from '../compute/query-slots.ts'
import type { ActorRun } from './actor-store.ts'
import type { ActorSource } from './parse-source.ts'

export interface RowDeps {
  readonly db: Db
  readonly events: EventStore
  readonly querySlots: QuerySlots
}

export type RowContext = Omit<Context, 'attr'>

/** Rows behind a number of a query, or without a source all of a kind. */
export interface RowSource<Result> {
  readonly source: ActorSource | undefined
  /** Filters besides the source, which can name cohorts. */
  readonly filters?: readonly unknown[]
  /** Returns the function that reads the rows of the compiled source. */
  createReader(context: RowContext): (run: ActorRun, set: ActorSet | undefined) => Promise<Result>
}

interface RunOptions {
  readonly requester: Requester
  readonly signal: AbortSignal
}

/** Compiles a source and reads its rows in a query slot of the caller's key, for as long as the source may take. */
export function runSource<Result>(
  { db, events, querySlots }: RowDeps,
  { projectId }: Caller,
  { source, filters = [], createReader }: RowSource<Result>,
  { requester, signal: allowed }: RunOptions,
): Promise<Result> {
  const signal = AbortSignal.any([allowed, requester.signal])
  const kind = source?.source.kind ?? 'ActorsQuery'
  return querySlots.run({ kind, projectId, apiKey: requester.key, signal }, async () => {
    const run = { store: events, projectId, timeoutMs: toTimeout(source?.source), signal }
    const settings = await getQueryContext(db, projectId)
    const query = source && (await resolveSource(db, projectId, source))
    const naming = [...filters, settings.testAccountFilters, query]
    const named = await withNamedCohorts(db, projectId, settings, naming)
    const context = await withImports(db, projectId, named, query)
    const read = createReader(context)
    return read(
      run,
      source && (await compileSource(run, { ...source, source: query as ValidQuery }, context)),
    )
  })
}

async function compileSource(
  run: ActorRun,
  { source, point, attr }: ActorSource,
  context: RowContext,
): Promise<ActorSet> {
  const { compileActors } = await import('#server/analytics/queries/run-query.ts') // loads a hundred modules
  const set = await compileActors(run, source, point, { ...context, attr })
  const properties = [...new Set([...set.properties, ...context.cohorts.properties])]
  return { ...set, properties }
}
