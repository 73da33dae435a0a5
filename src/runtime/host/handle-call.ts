import { withTimeout } from '#server/concurrency.ts'
import { giveWay } from '#server/turns.ts'
import { AppProblem } from '../contract.ts'
import { waitTimeoutMessage } from '../failure.ts'
import type { CallContext } from './call-context.ts'
import { CallFailure } from './call-error.ts'
import type { QueriedRows } from './databases/reader.ts'
import { handleApi } from './fetch/handle-api.ts'
import { handleFetch } from './fetch/handle-fetch.ts'
import { SERVICE_CALLS, toSkippedRows } from './service-calls.ts'
import { streamToApp } from './streams.ts'

/** Throws an `AppProblem` or `EgressError` for the app; any other error is the service's own fault. */
export async function handleCall(
  context: CallContext,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  switch (name) {
    case 'fetch':
      return handleFetch(context, args[0])
    case 'api':
      return handleApi(context, args[0])
    case 'attachment':
      return streamAttachment(context, args[0])
    case 'sleep':
      return sleepUntilRunEnds(context, args[0])
    case 'rateLimit':
      return setRate(context, args)
    case 'postgres':
      return streamRows(context, await context.run.postgres.query(args))
    case 'mysql':
      return streamRows(context, await context.run.mysql.query(args))
    case 'skip':
      return skipRows(context, args[0])
    default:
      return callService(context, name, args)
  }
}

/** Streams rows as lines, because writing all of them at once may take long. */
function streamRows(
  context: CallContext,
  { rows, jsonColumns }: QueriedRows,
): Pick<QueriedRows, 'jsonColumns'> {
  void streamToApp(context, toLines(rows))
  return { jsonColumns }
}

const ROWS_PER_LINE = 100

async function* toLines(rows: readonly object[]): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < rows.length; at += ROWS_PER_LINE) {
    await giveWay()
    yield Buffer.from(`${JSON.stringify(rows.slice(at, at + ROWS_PER_LINE))}\n`)
  }
}

/** Masks the rows, because an app may report a request with its keys. */
async function skipRows({ run, limits }: CallContext, given: unknown): Promise<void> {
  const rows = toSkippedRows(given, limits)
  await run.services.skip(
    rows.map(({ reason, content }) => ({ reason: run.mask(reason), content: run.mask(content) })),
  )
}

/** Attachments count as fetches: only some of a run's bodies stream at a time. */
async function streamAttachment(context: CallContext, key: unknown): Promise<void> {
  const { spec, run } = context
  const { attachments } = spec
  const attachment = Object.hasOwn(attachments, String(key)) ? attachments[String(key)] : undefined
  if (!attachment) throw new AppProblem(`There is no attachment '${key}'.`)
  const started = Promise.withResolvers<void>()
  const stream = async () => {
    run.ended.throwIfAborted()
    started.resolve()
    await streamToApp(context, attachment.read())
  }
  void run.limitFetches(stream).catch(started.reject)
  return started.promise
}

async function sleepUntilRunEnds({ limits, run }: CallContext, ms: unknown): Promise<void> {
  const duration = Math.max(0, Math.min(Number(ms) || 0, limits.waitMs))
  await run.pace.sleep(duration)
}

const MAX_RATE_REQUESTS = 10_000
const MAX_RATE_SECONDS = 24 * 60 * 60

async function setRate({ run }: CallContext, [host, requests, seconds]: readonly unknown[]) {
  const isHost = typeof host === 'string' && URL.parse(`http://${host}`)?.host === host
  if (!isHost) throw new AppProblem('rateLimit needs a host, such as api.example.com.')
  if (!isBetween(requests, 1, MAX_RATE_REQUESTS) || !Number.isInteger(requests)) {
    throw new AppProblem(`rateLimit allows 1 to ${MAX_RATE_REQUESTS} requests.`)
  }
  if (!isBetween(seconds, 0.001, MAX_RATE_SECONDS)) {
    throw new AppProblem(`rateLimit takes a period of at most ${MAX_RATE_SECONDS} seconds.`)
  }
  run.budgets.setRate(host, { requests, periodMs: seconds * 1000 })
}

const isBetween = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && value >= min && value <= max

async function callService(
  { spec, limits, run }: CallContext,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  const call = Object.hasOwn(SERVICE_CALLS, name) ? SERVICE_CALLS[name] : undefined
  if (!call) throw new AppProblem(`There is no '${name}'.`)
  return withTimeout(call(run.services, args, limits), limits.waitMs, () => {
    run.serviceFault ??= `${name} took longer than ${limits.waitMs / 1000} seconds.`
    return new CallFailure('TimeoutError', waitTimeoutMessage(limits.waitMs, spec, name))
  })
}
