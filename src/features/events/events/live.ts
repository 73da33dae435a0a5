import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EventStore, StoredEvent } from '#server/analytics/event-store.ts'
import { createEventStreams, type Poll, toServerEvent } from '#server/http/event-streams.ts'
import { type EventDeps, listEvents, toEventCondition, toEventJson } from './events.ts'
import { type EventCondition, listEventKeys } from './matching-store.ts'
import type { LiveQuery } from './schema.ts'

const POLL_EVERY_MS = 1000
/** More than anyone can read, and cheap at any event rate. */
const MAX_EVENTS_PER_POLL = 50
/** With property filters, of which few of them may meet the condition. */
const MAX_CHECKED_PER_POLL = 500
/** Searches this far back each time: other servers' clocks may differ, and their writes may show up late. */
const OVERLAP_MS = 60_000
/** Events are sorted by time, so late ones with an older time are not found. */
const RECENT_MS = 24 * 3_600_000
/** Number of events to remember. */
const MAX_SEEN = 5000

export interface LiveEvents {
  open(request: LiveRequest, reply: FastifyReply): Promise<FastifyReply>
}

type LiveRequest = FastifyRequest & { readonly query: LiveQuery }

/** Queries the store only when its version has changed, on any server. */
export function createLiveEvents(app: FastifyInstance, deps: EventDeps): LiveEvents {
  const streams = createEventStreams(app, POLL_EVERY_MS)
  return {
    open: (request, reply) =>
      streams.open(request, reply, async () => {
        const { projectId } = request.caller
        const condition = await toEventCondition(deps, projectId, request.query)
        return createPoll(deps.events, projectId, { ...request.query, condition })
      }),
  }
}

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

interface LiveFilter extends LiveQuery {
  readonly condition: EventCondition | undefined
}

function createPoll(store: EventStore, projectId: number, filter: LiveFilter): Poll {
  const { event, distinct_id: distinctId, condition } = filter
  const seen = new Set<string>()
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
      limit: condition ? MAX_CHECKED_PER_POLL : MAX_EVENTS_PER_POLL,
      after: ago(RECENT_MS),
      arrivedAfter: ago(OVERLAP_MS),
    })
    const fresh = results.filter(({ uuid }) => !seen.has(uuid))
    for (const { uuid } of fresh) seen.add(uuid)
    dropOldest(seen)
    const matching = condition ? await keepMatching(store, projectId, fresh, condition) : fresh
    const sent = matching.slice(0, MAX_EVENTS_PER_POLL)
    const events = sent.toReversed().map((each) => toServerEvent('event', toEventJson(each)))
    const isCut = (hasMore && fresh.length === results.length) || sent.length < matching.length
    if (!isFirst && isCut) events.push(toServerEvent('skipped', '{}'))
    if (!isFirst && fresh.length === 0) events.push(toServerEvent('changed', '{}'))
    return { events }
  }
}

async function keepMatching(
  store: EventStore,
  projectId: number,
  events: readonly StoredEvent[],
  condition: EventCondition,
): Promise<readonly StoredEvent[]> {
  if (events.length === 0) return []
  const filter = { keys: events, limit: events.length, offset: 0 }
  const keys = await listEventKeys(store, projectId, { filter, condition })
  const matching = new Set(keys.map(({ uuid }) => uuid))
  return events.filter(({ uuid }) => matching.has(uuid))
}

function dropOldest(seen: Set<string>): void {
  for (const uuid of seen) {
    if (seen.size <= MAX_SEEN) return
    seen.delete(uuid)
  }
}
