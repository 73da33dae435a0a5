import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EventStore } from '#server/analytics/event-store.ts'
import { createEventStreams, type Poll, toServerEvent } from '#server/http/event-streams.ts'
import { listEvents, toEventJson } from './events.ts'
import type { LiveQuery } from './schema.ts'

const POLL_EVERY_MS = 1000
/** More than anyone can read, and cheap at any event rate. */
const MAX_EVENTS_PER_POLL = 50
/** Searches this far back each time: other servers' clocks may differ, and their writes may show up late. */
const OVERLAP_MS = 60_000
/** Events are sorted by time, so late ones with an older time are not found. */
const RECENT_MS = 24 * 3_600_000
/** Number of sent events to remember. */
const MAX_SENT = 5000

export interface LiveEvents {
  open(request: FastifyRequest, reply: FastifyReply, query: LiveQuery): Promise<FastifyReply>
}

/** Queries the store only when its version has changed, on any server. */
export function createLiveEvents(app: FastifyInstance, store: EventStore): LiveEvents {
  const streams = createEventStreams(app, POLL_EVERY_MS)
  return {
    open: (request, reply, query) =>
      streams.open(request, reply, () => createPoll(store, request.caller.projectId, query)),
  }
}

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

function createPoll(store: EventStore, projectId: number, query: LiveQuery): Poll {
  const { event, distinct_id: distinctId } = query
  const sent = new Set<string>()
  let version: string | undefined

  return async () => {
    const current = await store.version(projectId)
    if (current === version) return { events: [] }
    const isFirst = version === undefined
    version = current
    const { results, hasMore } = await listEvents(store, projectId, {
      event,
      distinctId,
      offset: 0,
      limit: MAX_EVENTS_PER_POLL,
      after: ago(RECENT_MS),
      arrivedAfter: ago(OVERLAP_MS),
    })
    const fresh = results.filter(({ uuid }) => !sent.has(uuid))
    for (const { uuid } of fresh) sent.add(uuid)
    dropOldest(sent)
    const events = fresh.reverse().map((each) => toServerEvent('event', toEventJson(each)))
    if (!isFirst && hasMore && fresh.length === results.length)
      events.push(toServerEvent('skipped', '{}'))
    if (!isFirst && fresh.length === 0) events.push(toServerEvent('changed', '{}'))
    return { events }
  }
}

function dropOldest(sent: Set<string>): void {
  for (const uuid of sent) {
    if (sent.size <= MAX_SENT) return
    sent.delete(uuid)
  }
}
