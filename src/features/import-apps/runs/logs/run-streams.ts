import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#server/db/schema.ts'
import { createEventStreams, type StreamUpdate, toServerEvent } from '#server/http/event-streams.ts'
import type { Run } from '../schema.ts'
import { listNewestRuns } from '../store.ts'
import { findLastLogId, listLogsSince } from './log-store.ts'

const POLL_MS = 300
const LINES_PER_POLL = 500
const WATCHED_RUNS = 20

export interface RunStreams {
  open(request: FastifyRequest, reply: FastifyReply, configId: number): Promise<FastifyReply>
}

/** Streams the log lines and the progress of a config's runs. */
export function createRunStreams(app: FastifyInstance, db: Db): RunStreams {
  const streams = createEventStreams(app, POLL_MS)
  return {
    open: (request, reply, configId) =>
      streams.open(request, reply, async () => {
        const lastEventId = Number(request.headers['last-event-id'])
        const watch = {
          projectId: request.caller.projectId,
          configId,
          lastLog:
            Number.isSafeInteger(lastEventId) && lastEventId > 0
              ? lastEventId
              : await findLastLogId(db, configId),
          sentRuns: new Map<string, string>(),
        }
        return () => pollUpdates(db, watch)
      }),
  }
}

interface Watch {
  readonly projectId: number
  readonly configId: number
  lastLog: number
  /** The last JSON sent for each run, by its id. */
  sentRuns: ReadonlyMap<string, string>
}

async function pollUpdates(db: Db, watch: Watch): Promise<StreamUpdate> {
  const { projectId, configId } = watch
  const lines = await listLogsSince(db, configId, watch.lastLog, LINES_PER_POLL)
  watch.lastLog = lines.at(-1)?.id ?? watch.lastLog
  const window = { limit: WATCHED_RUNS, offset: 0 }
  const results = await listNewestRuns(db, projectId, configId, window)
  const json = new Map(results.map((run) => [run.id, JSON.stringify(run)]))
  const changed = results.filter(({ id }) => json.get(id) !== watch.sentRuns.get(id))
  watch.sentRuns = json
  const events = [
    ...lines.map((line) => toServerEvent('log', JSON.stringify(line), line.id)),
    ...oldestFirst(changed).map((run) => toServerEvent('run', JSON.stringify(run))),
  ]
  return { events }
}

const oldestFirst = (runs: readonly Run[]): Run[] => [...runs].reverse()
