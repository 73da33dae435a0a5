import { useEffect, useState } from 'react'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { openStream } from '../../api/stream.ts'
import { type ListedEvent, toEventsPath } from './api.ts'
import type { EventFilters } from './search.ts'

/** Bounds memory on a page that stays open for hours. */
const MAX_EVENTS = 500

export interface LiveEventList {
  /** Live events in the list, newest first. */
  readonly shown: readonly ListedEvent[]
  /** Live events that arrived while the list was paused. */
  readonly waiting: readonly ListedEvent[]
  /** The list lacks events: more came in than the stream sends or the page keeps. */
  readonly hasSkipped: boolean
  /** Older events arrived or were deleted. */
  readonly hasChanged: boolean
  /** The stream was off or interrupted, perhaps for longer than the minute that it repeats. */
  readonly hasGap: boolean
  readonly isConnected: boolean
}

const INITIAL: LiveEventList = {
  shown: [],
  waiting: [],
  hasSkipped: false,
  hasChanged: false,
  hasGap: false,
  isConnected: false,
}

/** Streams events, newest first. While the list is paused they wait and are counted. */
export function useLiveEvents(
  { event, action, distinct_id, properties }: EventFilters,
  isOn: boolean,
  isPaused: boolean,
) {
  const filters = {
    ...{ event, action_id: action, distinct_id },
    properties: properties && JSON.stringify(properties),
  }
  const address = withQuery(`${toEventsPath(useProjectId())}/live`, filters)
  const [live, setLive] = useState(INITIAL)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other events
  useEffect(() => setLive(({ hasGap }) => ({ ...INITIAL, hasGap })), [address])

  useEffect(() => {
    // the events that have arrived stay in the list
    if (!isOn) return setLive((now) => ({ ...now, isConnected: false, hasGap: true }))
    return openStream(address, {
      onConnection: (isConnected) =>
        setLive((now) => ({ ...now, isConnected, hasGap: now.hasGap || !isConnected })),
      on: {
        event: (data) => setLive((now) => add(now, JSON.parse(data))),
        skipped: () => setLive((now) => ({ ...now, hasSkipped: true })),
        changed: () => setLive((now) => ({ ...now, hasChanged: true })),
      },
    })
  }, [address, isOn])

  const show = () => setLive(showWaiting)
  const hasToShow = !isPaused && live.waiting.length > 0
  useEffect(() => {
    if (hasToShow) setLive(showWaiting)
  }, [hasToShow])

  return {
    ...live,
    show,
    /** Forgets what was known before the list was reloaded. */
    forget: (known: LiveEventList) => setLive((now) => forget(now, known)),
  }
}

/** Skips known events: a reconnected stream repeats the last minute. */
function add(live: LiveEventList, event: ListedEvent): LiveEventList {
  const isKnown = [...live.waiting, ...live.shown].some(({ id }) => id === event.id)
  return isKnown ? live : keepNewest({ ...live, waiting: [event, ...live.waiting] })
}

const keepNewest = (live: LiveEventList): LiveEventList => ({
  ...live,
  waiting: live.waiting.slice(0, MAX_EVENTS),
  shown: live.shown.slice(0, MAX_EVENTS),
  hasSkipped: live.hasSkipped || Math.max(live.waiting.length, live.shown.length) > MAX_EVENTS,
})

function forget(
  { shown, waiting, isConnected }: LiveEventList,
  known: LiveEventList,
): LiveEventList {
  const ids = new Set([...known.shown, ...known.waiting].map(({ id }) => id))
  const isNew = ({ id }: ListedEvent) => !ids.has(id)
  return {
    ...INITIAL,
    shown: shown.filter(isNew),
    waiting: waiting.filter(isNew),
    hasGap: !isConnected,
    isConnected,
  }
}

const showWaiting = (live: LiveEventList): LiveEventList =>
  keepNewest({ ...live, waiting: [], shown: [...live.waiting, ...live.shown] })
