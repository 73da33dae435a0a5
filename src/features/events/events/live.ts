import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EventStore } from '#server/analytics/event-store.ts'
import { createEventStreams, type Poll, toServerEvent } from '#server/http/event-streams.ts'
import { listEvents, toEventJson } from './events.ts'
import type { LiveQuery } from './schema.ts'

const LOOK_EVERY_MS = 1000
/** More than anybody could read, and little enough for any number of events to come in. */
const EVENTS_AT_A_TIME = 50
/** Another server's clock may differ, and what is written there may be seen here later: so far back, each is looked for again. */
const OVERLAP_MS = 60_000
/** Events are sorted by when they happened: older ones that come in now are not searched for. */
const RECENT_MS = 24 * 3_600_000
/** Of those that were sent, how many are remembered. */
const MOST_KNOWN = 5000

export interface LiveEvents {
  open(request: FastifyRequest, reply: FastifyReply, query: LiveQuery): Promise<FastifyReply>
}

/** Looks into the store only when its version has moved, so that it does not matter which server took the events. */
export function createLiveEvents(app: FastifyInstance, store: EventStore): LiveEvents {
  const streams = createEventStreams(app, LOOK_EVERY_MS)
  return {
    open: (request, reply, query) =>
      streams.open(request, reply, () => watch(store, request.caller.projectId, query)),
  }
}

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

function watch(store: EventStore, projectId: number, query: LiveQuery): Poll {
  const { event, distinct_id: distinctId } = query
  const known = new Set<string>()
  let version: string | undefined

  return async () => {
    const current = await store.version(projectId)
    if (current === version) return { events: [] }
    const isFirst = version === undefined
    version = current
    const { results, hasMore } = await listEvents(store, projectId, {
      ...{ event, distinctId, offset: 0, limit: EVENTS_AT_A_TIME },
      ...{ after: ago(RECENT_MS), arrivedAfter: ago(OVERLAP_MS) },
    })
    const fresh = results.filter(({ uuid }) => !known.has(uuid))
    for (const { uuid } of fresh) known.add(uuid)
    forgetOldest(known)
    const events = fresh.reverse().map((each) => toServerEvent('event', toEventJson(each)))
    if (!isFirst && hasMore && fresh.length === results.length)
      events.push(toServerEvent('skipped', '{}'))
    if (!isFirst && fresh.length === 0) events.push(toServerEvent('changed', '{}'))
    return { events }
  }
}

function forgetOldest(known: Set<string>): void {
  for (const uuid of known) {
    if (known.size <= MOST_KNOWN) return
    known.delete(uuid)
  }
}
