import { useEffect } from 'react'
import { type ListedEvent, useEvents } from './api.ts'
import { useLiveEvents } from './live.ts'
import type { EventsSearch } from './search.ts'

/** What is listed and what came in since, as one list. While it is held still, what comes in waits. */
export function useShownEvents(search: EventsSearch, isLive: boolean, isHeld: boolean) {
  const listed = useEvents(search)
  const live = useLiveEvents(search, isLive, isHeld)
  const pages = listed.data?.pages.flatMap(({ results }) => results) ?? []
  const events = merge(live.shown, pages)
  const known = new Set(events.map(({ id }) => id))
  const waiting = live.waiting.filter(({ id }) => !known.has(id)).length

  const { refetch } = listed
  const { hasChanged } = live
  const reload = () => {
    live.forget()
    void refetch()
  }
  const isWaitingForFirst = listed.data !== undefined && events.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: reload is another one each time
  useEffect(() => {
    if (hasChanged && isWaitingForFirst) reload()
  }, [hasChanged, isWaitingForFirst])

  return {
    listed,
    live,
    events,
    waiting,
    /** Those that came in while somebody watched. */
    arrived: new Set(live.shown.map(({ id }) => id)),
    reload,
  }
}

/** Each once, newest first: what came in live may be in the list by now. */
function merge(live: readonly ListedEvent[], listed: readonly ListedEvent[]): ListedEvent[] {
  const byId = new Map([...live, ...listed].map((event) => [event.id, event]))
  return [...byId.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
}

/** As the server sorts. */
const keyOf = ({ timestamp, id }: ListedEvent): string => timestamp + id
