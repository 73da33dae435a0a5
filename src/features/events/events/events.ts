import type { Caller } from '#server/access/guard.ts'
import type { EventFilter, EventStore, StoredEvent } from '#server/analytics/event-store.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'
import { insertActivity, toChange } from '#server/features/activity/store.ts'
import { arrayText, jsonWriter, plain, quoted, stored } from '#server/http/json-text.ts'
import { leaveCohorts } from '../cohorts/members.ts'
import { listDistinctIds } from '../cohorts/members-store.ts'

/** An event may have a megabyte: a page is read in batches and ends early if it gets large. */
const BATCH_SIZE = 100
const MAX_PAGE_SIZE = 16 * 1024 * 1024

export interface EventSlice {
  readonly results: readonly StoredEvent[]
  readonly hasMore: boolean
}

export async function listEvents(
  store: EventStore,
  projectId: number,
  filter: EventFilter,
): Promise<EventSlice> {
  const results: StoredEvent[] = []
  let size = 0
  while (size < MAX_PAGE_SIZE) {
    const limit = Math.min(BATCH_SIZE, filter.limit - results.length + 1)
    const found = await store.list(projectId, {
      ...filter,
      offset: filter.offset + results.length,
      limit,
    })
    results.push(...found)
    size += found.reduce((sum, { properties }) => sum + properties.length, 0)
    if (results.length > filter.limit) return { results: results.slice(0, -1), hasMore: true }
    if (found.length < limit) return { results, hasMore: false }
  }
  return { results, hasMore: true }
}

interface PersonDeps {
  readonly db: Db
  readonly events: EventStore
}

/** Reports a person without events as not found: persons are known by their events only. */
export async function removePersonEvents(
  { db, events }: PersonDeps,
  { projectId, userId }: Caller,
  distinctId: string,
): Promise<number> {
  const ids = await listDistinctIds(events, projectId, distinctId)
  await leaveCohorts(db, projectId, ids)
  const deleted = await events.deletePerson(projectId, distinctId)
  if (deleted === 0) throw notFound()
  await changeProject(db, projectId, (tx) =>
    insertActivity(tx, {
      projectId,
      userId,
      scope: 'Project',
      itemId: projectId,
      activity: 'events_deleted',
      name: distinctId,
      changes: [toChange('Project', 'events', deleted, null)],
    }),
  )
  return deleted
}

export const toEventJson = jsonWriter<StoredEvent>({
  id: (event) => plain(event.uuid),
  event: (event) => quoted(event.event),
  distinct_id: (event) => quoted(event.distinct_id),
  timestamp: (event) => plain(event.timestamp),
  properties: (event) => stored(event.properties),
  created_at: (event) => plain(event.created_at),
})

interface EventPage {
  readonly next: string | null
  readonly results: readonly StoredEvent[]
}

export const toEventPageJson = jsonWriter<EventPage>({
  next: ({ next }) => quoted(next),
  results: ({ results }) => arrayText(results.map((event) => toEventJson(event))),
})
