import { ON_REQUEST } from '#model/app-limitation.ts'
import type { Db } from '#server/db/schema.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'
import { toEventIds } from '#server/features/import-apps/webhooks/delivery.ts'
import {
  endRequest,
  findRequest,
  findWaitingRequest,
  toContent,
} from '#server/features/import-apps/webhooks/store.ts'
import type { AppOutcome, AppServices, AppSpec, Runtime } from '#server/runtime/contract.ts'
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

/**
 * Lets the app handle the requests of its config that wait, one after another, until none is left. A request that the
 * app fails on does not stop those behind it. A crash repeats at most one: its events have the same UUIDs again.
 */
export async function runRequests(
  deps: RequestDeps,
  run: RunRow,
  app: LoadedApp,
  signal: AbortSignal,
): Promise<AppOutcome> {
  const tested: number | undefined = JSON.parse(run.payload)?.request
  if (tested !== undefined) return testRequest(deps, run, app, tested, signal)
  const failures: string[] = []
  let handled = 0
  for (;;) {
    const request = await findWaitingRequest(deps.db, run.config_id)
    if (!request) break
    const outcome = await handle(deps, app, request, signal)
    if (outcome.ended === 'cancelled') return outcome
    if (outcome.ended === 'failed' && outcome.by === 'infrastructure') return outcome
    const message = outcome.ended === 'failed' ? outcome.message : ''
    const state = outcome.ended === 'failed' ? 'failed' : 'done'
    await endRequest(deps.db, request.id, { state, message, run_id: run.id })
    if (state === 'failed') failures.push(message)
    handled++
  }
  return toOutcome(handled, failures)
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

function toOutcome(handled: number, failures: readonly string[]): AppOutcome {
  const [first] = failures
  if (first === undefined) return { ended: 'succeeded' }
  const message =
    handled === 1 ? first : `${failures.length} of ${handled} requests failed. The first: ${first}`
  return { ended: 'failed', by: 'app', message }
}
