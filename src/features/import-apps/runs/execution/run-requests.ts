import { changeInGroup } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'
import { findRequest, listRequestRows } from '#server/features/import-apps/webhooks/store.ts'
import {
  endRequests,
  type HandledRequest,
  listWaiting,
} from '#server/features/import-apps/webhooks/waiting-store.ts'
import type { AppOutcome } from '#server/runtime/contract.ts'
import {
  type Handled,
  type HandlingDeps,
  handle,
  handleSome,
  type LoadedApp,
  type Pace,
  type RequestRow,
} from './handle-requests.ts'
import { holdEvents } from './hold-events.ts'

interface RequestDeps extends HandlingDeps {
  readonly db: Db
}

/** Requests whose events and ends are stored together, because each commit waits for the disk. */
const BATCH = 100
/** A slow app ends a batch early, so that its events are not late. */
const BATCH_MS = 200
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
  const pace: Pace = { size: 1 }
  let count = 0
  for (;;) {
    const waiting = await listWaiting(deps.db, run.config_id, BATCH)
    if (waiting.length === 0) return toOutcome(count, problems)
    const { handled, stopped } = await handleBatch(deps, run, app, { waiting, pace, signal })
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

/** Yields requests with their content, several at once, because each read waits for the commits of new ones. */
async function* readRequests(
  db: Db,
  configId: number,
  waiting: readonly Waiting[],
): AsyncGenerator<readonly RequestRow[]> {
  for (let from = 0; from < waiting.length; ) {
    let bytes = 0
    const tooMany = waiting.findIndex(({ size }, at) => {
      if (at < from) return false
      bytes += size
      return at > from && bytes > MAX_READ_BYTES
    })
    const to = tooMany === -1 ? waiting.length : tooMany
    const ids = waiting.slice(from, to).map(({ id }) => id)
    yield await listRequestRows(db, configId, ids)
    from = to
  }
}

/** Handles requests, and stores their events before it returns. */
async function handleBatch(
  deps: RequestDeps,
  { config_id }: RunRow,
  { spec, services }: LoadedApp,
  { waiting, pace, signal }: { waiting: readonly Waiting[]; pace: Pace; signal: AbortSignal },
): Promise<Handled> {
  const holding = holdEvents(services)
  const app = { spec, services: holding.services }
  const handled: HandledRequest[] = []
  const endsAt = performance.now() + BATCH_MS
  let stopped: AppOutcome | undefined
  const isOver = () => stopped !== undefined || (handled.length > 0 && performance.now() > endsAt)
  for await (const rows of readRequests(deps.db, config_id, waiting)) {
    for (let at = 0; at < rows.length && !isOver(); ) {
      const some = rows.slice(at, at + pace.size)
      const next = await handleSome(deps, app, some, { holding, pace, signal })
      handled.push(...next.handled)
      at += next.handled.length
      stopped = next.stopped
    }
    if (isOver()) break
  }
  await holding.release()
  return { handled, ...(stopped && { stopped }) }
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
  const outcome = await handle(deps, app, [request], signal)
  return outcome.ended === 'succeeded' ? toOutcome(1, outcome.problems ?? []) : outcome
}

function toOutcome(handled: number, found: readonly (string | undefined)[]): AppOutcome {
  const problems = found.filter((problem) => problem !== undefined)
  const [first] = problems
  if (first === undefined) return { ended: 'succeeded' }
  const message =
    handled === 1 ? first : `${problems.length} of ${handled} requests failed. The first: ${first}`
  return { ended: 'failed', by: 'app', message }
}
