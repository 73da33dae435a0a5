import { setTimeout as sleep } from 'node:timers/promises'
import { AppProblem } from '../contract.ts'
import { waitTimeoutMessage } from '../failure.ts'
import type { CallContext } from './call-context.ts'
import { CallFailure } from './call-error.ts'
import { handleApi } from './fetch/handle-api.ts'
import { handleFetch } from './fetch/handle-fetch.ts'
import { SERVICE_CALLS } from './service-calls.ts'
import { streamToApp } from './stream-to-app.ts'

/** Throws an `AppProblem` for what the app is to see; anything else is the service's own fault. */
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
  void context.run.fetching(() => streamToApp(context, attachment.read()))
}

async function pause({ limits, run }: CallContext, ms: unknown): Promise<void> {
  const most = Math.max(0, Math.min(Number(ms) || 0, limits.waitMs))
  await sleep(most, undefined, { signal: run.ending.signal }).catch(() => {})
}

async function askService(
  { spec, limits, run }: CallContext,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  const call = Object.hasOwn(SERVICE_CALLS, name) ? SERVICE_CALLS[name] : undefined
  if (!call) throw new AppProblem(`There is no '${name}'.`)
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    run.fault ??= `${name} took longer than ${limits.waitMs / 1000} seconds.`
    late.reject(new CallFailure('TimeoutError', waitTimeoutMessage(limits.waitMs, spec, name)))
  }, limits.waitMs)
  try {
    return await Promise.race([call(run.services, args, limits), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
