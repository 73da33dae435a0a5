import { useEffect } from 'react'
import { type ListedEvent, useEvents } from './api.ts'
import { useLiveEvents } from './live.ts'
import type { EventFilters } from './search.ts'

/** Merges listed and live events into one list. While paused, live events wait. */
export function useEventList(filters: EventFilters, isLive: boolean, isPaused: boolean) {
  const listed = useEvents(filters)
  const live = useLiveEvents(filters, isLive, isPaused)
  const pages = listed.data?.pages.flatMap(({ results }) => results) ?? []
  const events = merge(live.shown, pages)
  const known = new Set(events.map(({ id }) => id))
  const listedIds = new Set(pages.map(({ id }) => id))
  const waiting = live.waiting.filter(({ id }) => !known.has(id)).length

  const { refetch } = listed
  const { hasChanged, hasGap, isConnected } = live
  const reload = async () => {
    const { isSuccess } = await refetch()
    if (isSuccess) live.forget(live)
  }
  const isEmpty = listed.data !== undefined && events.length === 0
  // the list jumps when it is reloaded, but nobody reads an empty one
  const mustReload = isEmpty ? hasChanged || isConnected : isConnected && hasGap && !isPaused
  // biome-ignore lint/correctness/useExhaustiveDependencies: reload changes on every render
  useEffect(() => {
    if (mustReload) void reload()
  }, [mustReload, hasChanged, hasGap])

  return {
    listed,
    live,
    events,
    waiting,
    /** IDs of events that arrived live. The stream also repeats the last minute, which is listed. */
    arrived: new Set(live.shown.map(({ id }) => id).filter((id) => !listedIds.has(id))),
    reload,
  }
}

/** Merges events, newest first, without duplicates: a live event may be listed by now. */
function merge(live: readonly ListedEvent[], listed: readonly ListedEvent[]): ListedEvent[] {
  const byId = new Map([...live, ...listed].map((event) => [event.id, event]))
  return [...byId.values()].toSorted((a, b) => (toSortKey(a) < toSortKey(b) ? 1 : -1))
}

/** Sorts as the server does. */
const toSortKey = ({ timestamp, id }: ListedEvent): string => timestamp + id
