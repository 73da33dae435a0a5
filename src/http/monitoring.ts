import type { FastifyInstance } from 'fastify'
import type { EventStore } from '../analytics/event-store.ts'
import type { Storage } from '../db/open.ts'
import { ApiError } from '../errors.ts'
import { sendError } from './error-handler.ts'

const PUBLIC = { config: { scope: 'public' as const }, schema: { hide: true } }

/** Adds the health and readiness endpoints. */
export function installMonitoring(
  app: FastifyInstance,
  { db }: Storage,
  events: Pick<EventStore, 'requireReady'>,
): void {
  const health = { ...PUBLIC, config: { ...PUBLIC.config, isUrgent: true } }
  app.get('/_health', health, async () => ({ status: 'ok' }))

  app.get('/_ready', PUBLIC, async (request, reply) => {
    if (app.isStopping) {
      return sendError(reply, new ApiError('unavailable', 'The server is about to stop.'))
    }
    try {
      await db.selectFrom('access_state').select('version').executeTakeFirstOrThrow()
      await events.requireReady()
      return { status: 'ok' }
    } catch (err) {
      request.log.error({ err }, 'the storage is not ready')
      const isExplained = err instanceof ApiError && err.code === 'unavailable'
      const problem = new ApiError('unavailable', 'The storage does not respond.')
      return sendError(reply, isExplained ? err : problem)
    }
  })
}
