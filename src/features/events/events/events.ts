import type { Caller } from '#server/access/guard.ts'
import type {
  EventFilter,
  EventKey,
  EventStore,
  StoredEvent,
} from '#server/analytics/event-store.ts'
import { toRequired } from '#server/analytics/queries/columns.ts'
import { and, matches, matchesNode, nodeColumns } from '#server/analytics/queries/filters.ts'
import { requireGroupTypesIn } from '#server/analytics/queries/group-types.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'
import { projectLog } from '#server/features/accounts/projects/projects.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { toChange } from '#server/features/activity/store.ts'
import { arrayText, jsonWriter, plain, quoted, stored } from '#server/http/json-text.ts'
import { requireTime } from '#server/http/times.ts'
import { loadActions } from '../action-rows/rules.ts'
import { withNamedCohorts } from '../cohorts/definitions.ts'
import { leaveCohorts } from '../cohorts/members.ts'
import { listDistinctIds } from '../cohorts/members-store.ts'
import { findPerson } from '../person-rows/find-person.ts'
import { parsePropertyFilters } from '../property-filters.ts'
import {
  BATCH_SIZE,
  type EventCondition,
  type EventSlice,
  listEventKeys,
  listMatchingEvents,
  MAX_PAGE_SIZE,
} from './matching-store.ts'
import type { EventListQuery } from './schema.ts'

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

export interface EventDeps {
  readonly db: Db
  readonly events: EventStore
}

const NOTHING: EventSlice = { results: [], hasMore: false }

/** The events that the parameters of a list name. */
interface EventSelection {
  readonly filter: Partial<Omit<EventFilter, 'keys' | 'arrivedAfter'>>
  readonly condition: EventCondition | undefined
}

/** Returns undefined if the parameters name a person who does not exist. */
async function selectEvents(
  { db, events }: EventDeps,
  { projectId }: Caller,
  query: EventListQuery,
): Promise<EventSelection | undefined> {
  const filter = {
    event: query.event,
    distinctId: query.distinct_id,
    after: requireTime('after', query.after),
    before: requireTime('before', query.before),
  }
  const condition = await toEventCondition({ db, events }, projectId, query)
  if (!query.person_id) return { filter, condition }
  const person = await findPerson(events, projectId, query.person_id)
  return person && { filter: { ...filter, person: person.number }, condition }
}

interface EventSearch {
  readonly query: EventListQuery
  readonly range: PageRange
  readonly signal: AbortSignal
}

/** Lists the events that the parameters of a list name, newest first. */
export async function searchEvents(
  deps: EventDeps,
  caller: Caller,
  { query, range, signal }: EventSearch,
): Promise<EventSlice> {
  const selected = await selectEvents(deps, caller, query)
  if (!selected) return NOTHING
  const filter = { ...selected.filter, ...range }
  const { condition } = selected
  return condition
    ? listMatchingEvents(deps.events, caller.projectId, { filter, condition, signal })
    : listEvents(deps.events, caller.projectId, filter)
}

const ANY: EventCondition = { properties: [], matches: () => and([]) }

/** Names the newest events that the parameters of a list name. */
export async function searchEventKeys(
  deps: EventDeps,
  caller: Caller,
  { query, range, signal }: EventSearch,
): Promise<EventKey[]> {
  const selected = await selectEvents(deps, caller, query)
  if (!selected) return []
  const filter = { ...selected.filter, ...range }
  const condition = selected.condition ?? ANY
  return listEventKeys(deps.events, caller.projectId, { filter, condition, signal })
}

/** Compiles the filters and the action that the parameters of a list have; undefined without them. */
export async function toEventCondition(
  { db, events }: EventDeps,
  projectId: number,
  { properties: text, action_id }: Pick<EventListQuery, 'properties' | 'action_id'>,
): Promise<EventCondition | undefined> {
  if (!text && action_id === undefined) return undefined
  const properties = text ? parsePropertyFilters(text) : []
  const actions = action_id === undefined ? [] : [action_id]
  const named = await loadActions(db, projectId, actions)
  const [action] = actions.map((id) => named.get(id, 'action_id'))
  await requireGroupTypesIn({ store: events, projectId }, properties, 'properties')
  const settings = await getQueryContext(db, projectId)
  const context = await withNamedCohorts(db, projectId, settings, [properties, action?.rules])
  const node = { event: action?.event ?? null, rules: action?.rules, properties }
  const required = toRequired(nodeColumns(node))
  return {
    ...required,
    properties: [...new Set([...required.properties, ...context.cohorts.properties])],
    matches: (table) =>
      and([
        matchesNode(table, { event: node.event, rules: node.rules }, context, 'action_id'),
        matches(table, properties, context, 'properties'),
      ]),
  }
}

/** Reports a person without events as not found: persons are known by their events only. */
export async function removePersonEvents(
  { db, events }: EventDeps,
  caller: Caller,
  distinctId: string,
): Promise<number> {
  const { projectId } = caller
  const ids = await listDistinctIds(events, projectId, distinctId)
  await leaveCohorts(db, projectId, ids)
  const deleted = await events.deletePerson(projectId, distinctId)
  if (deleted === 0) throw notFound()
  const logged = { id: projectId, name: distinctId }
  const changes = [toChange('Project', 'events', deleted, null)]
  await changeProject(db, projectId, (tx) =>
    projectLog.logActivity(tx, caller, logged, 'events_deleted', changes),
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
