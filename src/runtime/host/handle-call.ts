import { setTimeout as sleep } from 'node:timers/promises'
import { AppProblem } from '../contract.ts'
import { waitedTooLong } from '../failure.ts'
import type { CallContext } from './call-context.ts'
import { CallProblem } from './call-error.ts'
import { answerApi } from './fetch/handle-api.ts'
import { answerFetch } from './fetch/handle-fetch.ts'
import { HOST_CALLS } from './service-calls.ts'
import { passOn } from './stream-to-app.ts'

/** Throws an `AppProblem` for what the app is to see; anything else is the service's own fault. */
export async function serveCall(
  context: CallContext,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  switch (name) {
    case 'fetch':
      return answerFetch(context, args[0])
    case 'api':
      return answerApi(context, args[0])
    case 'attachment':
      return openAttachment(context, args[0])
    case 'sleep':
      return pause(context, args[0])
    case 'postgres':
      return context.run.postgres.query(args)
    default:
      return askService(context, name, args)
  }
}

/** Some of a run's bodies flow at a time, files like answers. */
async function openAttachment(context: CallContext, key: unknown): Promise<void> {
  const { attachments } = context.spec
  const attachment = Object.hasOwn(attachments, String(key)) ? attachments[String(key)] : undefined
  if (!attachment) throw new AppProblem(`There is no attachment '${key}'.`)
  void context.run.fetching(() => passOn(context, attachment.read()))
}

async function pause({ limits, run }: CallContext, ms: unknown): Promise<void> {
  const most = Math.max(0, Math.min(Number(ms) || 0, limits.wait))
  await sleep(most, undefined, { signal: run.ending.signal }).catch(() => {})
}

async function askService(
  { spec, limits, run }: CallContext,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  const call = Object.hasOwn(HOST_CALLS, name) ? HOST_CALLS[name] : undefined
  if (!call) throw new AppProblem(`There is no '${name}'.`)
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    run.fault ??= `${name} took longer than ${limits.wait / 1000} seconds.`
    late.reject(new CallProblem('TimeoutError', waitedTooLong(limits.wait, spec, name)))
  }, limits.wait)
  try {
    return await Promise.race([call(run.services, args, limits), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
