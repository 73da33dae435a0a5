import { ON_REQUEST } from '#model/app-limitation.ts'
import { changeInGroup } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'
import { toEventIds } from '#server/features/import-apps/webhooks/delivery.ts'
import {
  findRequest,
  listRequestRows,
  toContent,
} from '#server/features/import-apps/webhooks/store.ts'
import {
  endRequests,
  type HandledRequest,
  listWaiting,
} from '#server/features/import-apps/webhooks/waiting-store.ts'
import type {
  AppOutcome,
  AppServices,
  AppSpec,
  CapturedEvent,
  Runtime,
} from '#server/runtime/contract.ts'
import type { RequestToApp } from '#server/runtime/wire/protocol.ts'
import type { Secrets } from '#server/secrets/secrets.ts'

interface RequestDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly runtime: Runtime
}

interface LoadedApp {
  readonly spec: AppSpec
  readonly services: AppServices
}

/** Requests whose events and ends are stored together, because each commit waits for the disk. */
const BATCH = 100
/** A slow app ends a batch early, so that its events are not late. */
const BATCH_MS = 200
const MAX_HELD_EVENTS = 4000
/** The content of requests that is in memory at a time. */
const MAX_READ_BYTES = 256 * 1024

/**
 * Lets the app handle the requests of its config that wait, one after another, until none is left. A request that the
 * app fails on does not stop those behind it. A crash repeats at most a batch: its events have the same UUIDs again.
 */
export async function runRequests(
  deps: RequestDeps,
  run: RunRow,
  app: LoadedApp,
  signal: AbortSignal,
): Promise<AppOutcome> {
  const tested: number | undefined = JSON.parse(run.payload)?.request
  if (tested !== undefined) return testRequest(deps, run, app, tested, signal)
  const problems: string[] = []
  let count = 0
  for (;;) {
    const waiting = await listWaiting(deps.db, run.config_id, BATCH)
    if (waiting.length === 0) return toOutcome(count, problems)
    const { handled, stopped } = await handleBatch(deps, run, app, waiting, signal)
    if (handled.length > 0) {
      await changeInGroup(deps.db, (tx) => endRequests(tx, run.id, handled))
    }
    if (stopped) return stopped
    count += handled.length
    problems.push(...handled.flatMap(({ problem }) => problem ?? []))
  }
}

interface Waiting {
  readonly id: number
  readonly size: number
}

/** Yields requests with their content. Several are read at once, because each read waits for the commits of new ones. */
async function* readRequests(db: Db, configId: number, waiting: readonly Waiting[]) {
  for (let from = 0; from < waiting.length; ) {
    let bytes = 0
    const tooMany = waiting.findIndex(({ size }, at) => {
      if (at < from) return false
      bytes += size
      return at > from && bytes > MAX_READ_BYTES
    })
    const to = tooMany === -1 ? waiting.length : tooMany
    const ids = waiting.slice(from, to).map(({ id }) => id)
    yield* await listRequestRows(db, configId, ids)
    from = to
  }
}

interface Batch {
  readonly handled: readonly HandledRequest[]
  /** Why the run ends before all are handled. */
  readonly stopped?: AppOutcome
}

/** Handles requests, and stores their events before it returns. */
async function handleBatch(
  deps: RequestDeps,
  { config_id }: RunRow,
  { spec, services }: LoadedApp,
  waiting: readonly Waiting[],
  signal: AbortSignal,
): Promise<Batch> {
  const holding = holdEvents(services)
  const app = { spec, services: holding.services }
  const handled: HandledRequest[] = []
  const endsAt = performance.now() + BATCH_MS
  let stopped: AppOutcome | undefined
  for await (const request of readRequests(deps.db, config_id, waiting)) {
    const outcome = await handle(deps, app, request, signal)
    if (isStopped(outcome)) {
      stopped = outcome
      break
    }
    handled.push({
      id: request.id,
      problem: outcome.ended === 'failed' ? outcome.message : undefined,
    })
    if (performance.now() > endsAt) break
  }
  await holding.release()
  return { handled, ...(stopped && { stopped }) }
}

const isStopped = (outcome: AppOutcome): boolean =>
  outcome.ended === 'cancelled' || (outcome.ended === 'failed' && outcome.by === 'infrastructure')

/** Lets the app continue before its events are stored. A request counts as handled only after the release. */
function holdEvents(services: AppServices) {
  let held: CapturedEvent[] | undefined = []
  return {
    services: {
      ...services,
      async capture(events: readonly CapturedEvent[]) {
        if (!held) return services.capture(events) // the app is being unloaded
        held.push(...events)
        if (held.length < MAX_HELD_EVENTS) return
        const full = held
        held = []
        await services.capture(full)
      },
    },
    async release(): Promise<void> {
      const rest = held ?? []
      held = undefined
      if (rest.length > 0) await services.capture(rest)
    },
  }
}

async function testRequest(
  deps: RequestDeps,
  { config_id }: RunRow,
  app: LoadedApp,
  id: number,
  signal: AbortSignal,
): Promise<AppOutcome> {
  const request = await findRequest(deps.db, config_id, id)
  if (!request) return { ended: 'cancelled', message: 'The request was deleted.' }
  return handle(deps, app, request, signal)
}

function handle(
  { secrets, runtime }: RequestDeps,
  { spec, services }: LoadedApp,
  request: NonNullable<Awaited<ReturnType<typeof findRequest>>>,
  signal: AbortSignal,
): Promise<AppOutcome> {
  const { config_id, method, delivery, received_at } = request
  const ids = toEventIds(config_id, delivery)
  const payload: RequestToApp = { method, ...toContent(secrets, request), received_at, ids }
  return runtime.run(spec, services, { kind: 'request', name: ON_REQUEST, payload }, signal)
}

function toOutcome(handled: number, problems: readonly string[]): AppOutcome {
  const [first] = problems
  if (first === undefined) return { ended: 'succeeded' }
  const message =
    handled === 1 ? first : `${problems.length} of ${handled} requests failed. The first: ${first}`
  return { ended: 'failed', by: 'app', message }
}
