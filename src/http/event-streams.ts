import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, BusyError } from '../errors.ts'
import { createFairLimit } from '../fair-limit.ts'
import { toBody } from './large-bodies.ts'

const KEEP_ALIVE_MS = 15_000
/** Clients reconnect after this. */
const MAX_DURATION_MS = 5 * 60_000
/** The limit for each kind of stream. None waits, because clients reconnect on their own. */
const TOTAL = { running: 300, waiting: 0 }
const PROJECT = { running: 200, waiting: 0 }
const KEY = { running: 50, waiting: 0 }
/** A client that reads more slowly than this gets no update until it has caught up. */
const MAX_UNREAD_BYTES = 1024 * 1024
const EVENT_STREAM = 'text/event-stream; charset=utf-8'

export interface StreamUpdate {
  /** Texts from `toServerEvent`. */
  readonly events: readonly string[]
  /** Ends the stream. */
  readonly isLast?: boolean
}

/** Returns the changes since the last poll. */
export type Poll = () => Promise<StreamUpdate>

export interface EventStreams {
  /** Calls `prepare` only if a stream will be opened. */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    prepare: () => Poll | Promise<Poll>,
  ): Promise<FastifyReply>
}

export const toServerEvent = (name: string, json: string, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${json}\n\n`

/**
 * Serves server-sent events by polling, so that any process may cause an update. A stream ends with the server, and at
 * the next poll after its caller's access is revoked.
 */
export function createEventStreams(app: FastifyInstance, pollIntervalMs: number): EventStreams {
  const streams = new Set<() => void>()
  const limit = createFairLimit({
    total: TOTAL,
    shares: [PROJECT, KEY],
    refuse: tooManyStreams,
  })
  app.addHook('preClose', async () => {
    for (const end of streams) end()
  })

  return {
    async open(request, reply, prepare) {
      if (request.method === 'HEAD') return reply.header('content-type', EVENT_STREAM).send()
      const { caller, principal } = request
      const release = await limit.acquire([String(caller.projectId), principal.keyId])
      if (reply.raw.destroyed) release()
      reply.raw.once('close', release)
      const poll = await prepare()
      reply.hijack()
      stream(reply, poll, { pollIntervalMs, streams })
      return reply
    },
  }
}

const tooManyStreams = (): BusyError =>
  new BusyError('Too many live streams are open. Close some, or try again later.')

interface StreamOptions {
  readonly pollIntervalMs: number
  /** The ends of all open streams. */
  readonly streams: Set<() => void>
}

function stream(reply: FastifyReply, poll: Poll, { pollIntervalMs, streams }: StreamOptions): void {
  const { raw, request } = reply
  let isPolling = false
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': EVENT_STREAM,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no', // otherwise nginx would buffer events
  })
  raw.write('retry: 1000\n\n')

  const pollOnce = async () => {
    if (isPolling) return
    isPolling = true
    try {
      await request.requireAccess()
      if (raw.writableLength > MAX_UNREAD_BYTES) return
      const { events, isLast = false } = await poll()
      for (const event of events) raw.write(await toBody(event))
      if (isLast) end()
    } catch (err) {
      if (!(err instanceof ApiError)) reply.log.warn({ err }, 'live stream ended')
      end()
    } finally {
      isPolling = false
    }
  }
  const timers = [
    setInterval(pollOnce, pollIntervalMs),
    setInterval(() => raw.write(': still here\n\n'), KEEP_ALIVE_MS),
    setTimeout(() => end(), MAX_DURATION_MS),
  ]
  const end = () => {
    for (const timer of timers) clearTimeout(timer)
    streams.delete(end)
    raw.end()
  }
  streams.add(end)
  raw.on('close', end)
  raw.on('error', end)
  void pollOnce()
}
