import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#server/db/schema.ts'
import { createEventStreams, type News, toServerEvent } from '#server/http/event-streams.ts'
import type { Run } from '../schema.ts'
import { listNewestRuns } from '../store.ts'
import { findLastLogId, listLogsSince } from './log-store.ts'

const LOOK_EVERY_MS = 300
const LINES_AT_A_TIME = 500
const RUNS_WATCHED = 20

export interface RunStreams {
  open(request: FastifyRequest, reply: FastifyReply, configId: number): Promise<FastifyReply>
}

/** Log lines and progress of a config's runs. */
export function createRunStreams(app: FastifyInstance, db: Db): RunStreams {
  const streams = createEventStreams(app, LOOK_EVERY_MS)
  return {
    open: (request, reply, configId) =>
      streams.open(request, reply, async () => {
        const resumeAt = Number(request.headers['last-event-id'])
        const watch = {
          projectId: request.caller.projectId,
          configId,
          lastLog:
            Number.isSafeInteger(resumeAt) && resumeAt > 0
              ? resumeAt
              : await findLastLogId(db, configId),
          known: new Map<string, string>(),
        }
        return () => pollUpdates(db, watch)
      }),
  }
}

interface Watch {
  readonly projectId: number
  readonly configId: number
  lastLog: number
  /** By run: what was last said of it. */
  known: ReadonlyMap<string, string>
}

async function pollUpdates(db: Db, watch: Watch): Promise<News> {
  const { projectId, configId } = watch
  const lines = await listLogsSince(db, configId, watch.lastLog, LINES_AT_A_TIME)
  watch.lastLog = lines.at(-1)?.id ?? watch.lastLog
  const window = { limit: RUNS_WATCHED, offset: 0 }
  const results = await listNewestRuns(db, projectId, configId, window)
  const states = new Map(results.map((run) => [run.id, JSON.stringify(run)]))
  const changed = results.filter(({ id }) => states.get(id) !== watch.known.get(id))
  watch.known = states
  const events = [
    ...lines.map((line) => toServerEvent('log', JSON.stringify(line), line.id)),
    ...oldestFirst(changed).map((run) => toServerEvent('run', JSON.stringify(run))),
  ]
  return { events }
}

const oldestFirst = (runs: readonly Run[]): Run[] => [...runs].reverse()
