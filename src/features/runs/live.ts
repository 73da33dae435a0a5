import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/schema.ts'
import { ApiError } from '../../errors.ts'
import { findLastLogId, listLogsSince } from './log-store.ts'
import type { Run } from './schema.ts'
import { listNewestRuns } from './store.ts'

/** Looked up rather than told: then it does not matter which process runs the app. */
const LOOK_EVERY_MS = 300
const SAY_SOMETHING_EVERY_MS = 15_000
/** Whoever watches longer comes back, and has to show a key that still works. */
const END_AFTER_MS = 5 * 60_000
const MAX_STREAMS = 200
const LINES_AT_A_TIME = 500
/** Whoever reads more slowly than the app logs waits for the rest. */
const MAX_UNREAD_BYTES = 1024 * 1024
const RUNS_WATCHED = 20
const EVENT_STREAM = 'text/event-stream; charset=utf-8'

export interface LiveStreams {
  open(request: FastifyRequest, reply: FastifyReply, configId: number): Promise<FastifyReply>
}

/** Server-sent events of configs. They end when the server stops. */
export function createLiveStreams(app: FastifyInstance, db: Db): LiveStreams {
  const streams = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of streams) end()
  })

  return {
    async open(request, reply, configId) {
      if (request.method === 'HEAD') return reply.header('content-type', EVENT_STREAM).send()
      if (streams.size >= MAX_STREAMS) {
        throw new ApiError('unavailable', 'Too many live streams are open. Try again later.')
      }
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
      reply.hijack()
      stream(db, watch, reply, streams)
      return reply
    },
  }
}

interface Watch {
  readonly projectId: number
  readonly configId: number
  lastLog: number
  /** By run: what was last said of it. */
  known: ReadonlyMap<string, string>
}

function stream(db: Db, watch: Watch, reply: FastifyReply, streams: Set<() => void>): void {
  const { raw } = reply
  let looking = false
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': EVENT_STREAM,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no', // or a proxy keeps lines back until it has a page of them
  })
  raw.write('retry: 1000\n\n')

  const look = async () => {
    if (looking || raw.writableLength > MAX_UNREAD_BYTES) return
    looking = true
    try {
      for (const text of await news(db, watch)) raw.write(text)
    } catch (err) {
      reply.log.warn({ err }, 'live stream ended')
      end()
    } finally {
      looking = false
    }
  }
  const timers = [
    setInterval(look, LOOK_EVERY_MS),
    setInterval(() => raw.write(': still here\n\n'), SAY_SOMETHING_EVERY_MS),
    setTimeout(() => end(), END_AFTER_MS),
  ]
  const end = () => {
    for (const timer of timers) clearTimeout(timer)
    streams.delete(end)
    raw.end()
  }
  streams.add(end)
  raw.on('close', end)
  raw.on('error', end)
  void look()
}

async function news(db: Db, watch: Watch): Promise<string[]> {
  const { projectId, configId } = watch
  const lines = await listLogsSince(db, configId, watch.lastLog, LINES_AT_A_TIME)
  watch.lastLog = lines.at(-1)?.id ?? watch.lastLog
  const window = { limit: RUNS_WATCHED, offset: 0 }
  const results = await listNewestRuns(db, projectId, configId, window)
  const states = new Map(results.map((run) => [run.id, JSON.stringify(run)]))
  const changed = results.filter(({ id }) => states.get(id) !== watch.known.get(id))
  watch.known = states
  return [
    ...lines.map((line) => toEvent('log', line, line.id)),
    ...oldestFirst(changed).map(toRunEvent),
  ]
}

const oldestFirst = (runs: readonly Run[]): Run[] => [...runs].reverse()

const toRunEvent = (run: Run): string => toEvent('run', run)

const toEvent = (name: string, data: unknown, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
