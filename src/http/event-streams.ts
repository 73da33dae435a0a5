import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

const SAY_SOMETHING_EVERY_MS = 15_000
/** Whoever watches longer comes back, and has to show a key that still works. */
const END_AFTER_MS = 5 * 60_000
const MAX_STREAMS = 200
/** Whoever reads more slowly than there is news waits for the rest. */
const MAX_UNREAD_BYTES = 1024 * 1024
const EVENT_STREAM = 'text/event-stream; charset=utf-8'

export interface StreamUpdate {
  /** Made by `toServerEvent`. */
  readonly events: readonly string[]
  /** There will be no more. */
  readonly isLast?: boolean
}

/** Looks for what is new since it last looked. */
export type Poll = () => Promise<StreamUpdate>

export interface EventStreams {
  /** `prepare` is called once it is known that there will be a stream. */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    prepare: () => Poll | Promise<Poll>,
  ): Promise<FastifyReply>
}

export const toServerEvent = (name: string, json: string, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${json}\n\n`

/** Server-sent events, looked up rather than told: then it does not matter which process has news. They end with the server. */
export function createEventStreams(app: FastifyInstance, lookEveryMs: number): EventStreams {
  const streams = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of streams) end()
  })

  return {
    async open(request, reply, prepare) {
      if (request.method === 'HEAD') return reply.header('content-type', EVENT_STREAM).send()
      if (streams.size >= MAX_STREAMS) {
        throw new ApiError('unavailable', 'Too many live streams are open. Try again later.')
      }
      const look = await prepare()
      reply.hijack()
      stream(look, lookEveryMs, reply, streams)
      return reply
    },
  }
}

function stream(
  lookForNews: Poll,
  lookEveryMs: number,
  reply: FastifyReply,
  streams: Set<() => void>,
): void {
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
      const { events, isLast = false } = await lookForNews()
      for (const event of events) raw.write(event)
      if (isLast) end()
    } catch (err) {
      reply.log.warn({ err }, 'live stream ended')
      end()
    } finally {
      looking = false
    }
  }
  const timers = [
    setInterval(look, lookEveryMs),
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
