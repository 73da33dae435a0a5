import { ON_REQUEST } from '#model/app-limitation.ts'
import { toEventIds } from '#server/features/import-apps/webhooks/delivery.ts'
import { type listRequestRows, toContent } from '#server/features/import-apps/webhooks/store.ts'
import type { HandledRequest } from '#server/features/import-apps/webhooks/waiting-store.ts'
import type { AppOutcome, AppServices, AppSpec, Runtime } from '#server/runtime/contract.ts'
import type { RequestToApp } from '#server/runtime/wire/protocol.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { HeldEvents } from './hold-events.ts'

export interface HandlingDeps {
  readonly secrets: Secrets
  readonly runtime: Runtime
}

export interface LoadedApp {
  readonly spec: AppSpec
  readonly services: AppServices
}

export type RequestRow = Awaited<ReturnType<typeof listRequestRows>>[number]

export interface Handled {
  readonly handled: readonly HandledRequest[]
  /** Why the run ends before all are handled. */
  readonly stopped?: AppOutcome
}

/** The number of requests that the app gets at once: as many as it handles within some milliseconds. */
export interface Pace {
  size: number
}

const MAX_AT_ONCE = 32
const FAST_MS = 20
const SLOW_MS = 100

interface Handling {
  readonly holding: HeldEvents
  readonly pace: Pace
  readonly signal: AbortSignal
}

/**
 * Gives the app some requests at once, which saves most of the time that the two processes spend on each. If that fails
 * as a whole, such as by the end of the process, the app gets them one by one, to find the one that is to blame.
 */
export async function handleSome(
  deps: HandlingDeps,
  app: LoadedApp,
  rows: readonly RequestRow[],
  { holding, pace, signal }: Handling,
): Promise<Handled> {
  const held = holding.count()
  const startedAt = performance.now()
  const outcome = await handle(deps, app, rows, signal)
  const took = performance.now() - startedAt
  if (took < FAST_MS) pace.size = Math.min(MAX_AT_ONCE, pace.size * 2)
  if (took > SLOW_MS) pace.size = Math.max(1, Math.floor(pace.size / 2))
  if (outcome.ended === 'succeeded' || rows.length === 1) return toHandled(rows, outcome)
  holding.dropFrom(held)
  const handled: HandledRequest[] = []
  for (const row of rows) {
    const next = toHandled([row], await handle(deps, app, [row], signal))
    handled.push(...next.handled)
    if (next.stopped) return { handled, stopped: next.stopped }
  }
  return { handled }
}

function toHandled(rows: readonly RequestRow[], outcome: AppOutcome): Handled {
  if (isStopped(outcome)) return { handled: [], stopped: outcome }
  const problems = outcome.ended === 'succeeded' ? outcome.problems : [outcome.message]
  return {
    handled: (problems ?? []).map((problem, index) => ({
      id: (rows[index] as RequestRow).id,
      problem,
    })),
  }
}

const isStopped = (outcome: AppOutcome): boolean =>
  outcome.ended === 'cancelled' || (outcome.ended === 'failed' && outcome.by === 'infrastructure')

/** Lets the app handle requests, at least the first of them. */
export function handle(
  { secrets, runtime }: HandlingDeps,
  { spec, services }: LoadedApp,
  requests: readonly RequestRow[],
  signal: AbortSignal,
): Promise<AppOutcome> {
  const payload = requests.map(
    (request): RequestToApp => ({
      ...{ method: request.method, received_at: request.received_at },
      ...toContent(secrets, request),
      ids: toEventIds(request.config_id, request.delivery),
    }),
  )
  return runtime.run(spec, services, { kind: 'requests', name: ON_REQUEST, payload }, signal)
}
