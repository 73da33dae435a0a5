import type { Caller } from '#server/access/guard.ts'
import type { Requester } from '#server/access/requester.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { ActorSet } from '#server/analytics/queries/actors.ts'
import type { Context } from '#server/analytics/queries/plan.ts'
import type { Db } from '#server/db/schema.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { withNamedCohorts } from '#server/features/events/cohorts/definitions.ts'
import type { Overrides } from '../check/overrides.ts'
import { timeoutOf } from '../compute/compute.ts'
import type { QuerySlots } from '../compute/query-slots.ts'
import type { ActorRun } from './actor-store.ts'
import type { ActorSource } from './parse-source.ts'

export interface ActorDeps {
  readonly db: Db
  readonly events: EventStore
  readonly querySlots: QuerySlots
}

export interface ActorRequest {
  readonly query: object
  readonly overrides: Overrides
  readonly requester: Requester
  readonly signal: AbortSignal
}

interface Turn extends Pick<ActorRequest, 'requester' | 'signal'> {
  readonly source: ActorSource | undefined
}

/** Reads in a query slot of the caller's key, for as long as the source may take. */
export function inSlot<T>(
  { events, querySlots }: ActorDeps,
  { projectId }: Caller,
  { source, requester, signal: allowed }: Turn,
  read: (run: ActorRun) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([allowed, requester.signal])
  const kind = source?.source.kind ?? 'ActorsQuery'
  return querySlots.run({ kind, projectId, apiKey: requester.key, signal }, () =>
    read({ store: events, projectId, timeoutMs: timeoutOf(source?.source), signal }),
  )
}

/** Loads the settings with which a source is compiled, and the cohorts that it and the filters name. */
export async function loadContext(
  { db }: Pick<ActorDeps, 'db'>,
  { projectId }: Caller,
  source: ActorSource | undefined,
  filters: readonly unknown[] = [],
): Promise<Omit<Context, 'attr'>> {
  const context = await getQueryContext(db, projectId)
  const naming = [...filters, context.testAccountFilters, source?.source]
  return withNamedCohorts(db, projectId, context, naming)
}

/** Compiles the selection of the persons and events behind a number. */
export async function compileSource(
  run: ActorRun,
  { source, point, attr }: ActorSource,
  context: Omit<Context, 'attr'>,
): Promise<ActorSet> {
  const { compileActors } = await import('#server/analytics/queries/run-query.ts') // loads a hundred modules
  const set = await compileActors(run, source, point, { ...context, attr })
  const properties = [...new Set([...set.properties, ...context.cohorts.properties])]
  return { ...set, properties }
}
