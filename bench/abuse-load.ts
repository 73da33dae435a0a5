/** Abuses one server. Its first argument is the task; `abuse-watch.ts` starts it at the lowest priority. */
import { pathToFileURL } from 'node:url'
import { floodFromApp } from './abuse-app.ts'
import { sendEmptyEvents, sendLargestBatch, sendSlowly, sendTooManyEvents } from './abuse-bodies.ts'
import { floodQueries, openStreams, requestExports } from './abuse-reads.ts'
import { captureShapes, runLargestQueries } from './abuse-shapes.ts'

/** A server that is abused, and the token of its project. */
export interface Target {
  readonly url: string
  readonly token: string
}

export type Abuse = (target: Target) => Promise<void>

export const ABUSES: Readonly<Record<string, Abuse>> = {
  'unauthenticated compressed bodies': sendEmptyEvents,
  'the largest legal batch': sendLargestBatch,
  'a batch with too many events': sendTooManyEvents,
  '500 slow senders': sendSlowly,
  '200 streams': openStreams,
  '50 exports at once': requestExports,
  '2,000 queries a second': floodQueries,
  'the largest result of each kind': runLargestQueries,
  'an app that floods fetch, logs, captures and cache': floodFromApp,
}

/** Prepares a server before it is measured. */
export const PREPARATIONS: Readonly<Record<string, Abuse>> = {
  'the largest result of each kind': captureShapes,
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { name, target } = JSON.parse(process.argv[2] as string)
  await (ABUSES[name] as Abuse)(target)
}
