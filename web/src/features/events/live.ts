import { useEffect, useState } from 'react'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { type ListedEvent, toEventsPath } from './api.ts'
import type { EventsSearch } from './search.ts'

/** A page that is left open over night must not hold all of the night. */
const MOST_HELD = 500

export interface Live {
  /** Newest first: what came in and is shown. */
  readonly shown: readonly ListedEvent[]
  /** What came in while the list was held still. */
  readonly waiting: readonly ListedEvent[]
  /** More came in than are told. */
  readonly hasSkipped: boolean
  /** Older events came in, or some were deleted. */
  readonly hasChanged: boolean
  readonly isConnected: boolean
}

const NOTHING: Live = {
  shown: [],
  waiting: [],
  hasSkipped: false,
  hasChanged: false,
  isConnected: false,
}

/** Events as they come in, newest first. While the list is held still they wait, and are counted. */
export function useLiveEvents(
  { event, distinct_id }: EventsSearch,
  isOn: boolean,
  isHeld: boolean,
) {
  const path = `${toEventsPath(useProjectId())}/live`
  const [live, setLive] = useState(NOTHING)

  useEffect(() => {
    setLive(NOTHING)
    if (!isOn) return
    const source = new EventSource(withQuery(path, { event, distinct_id }))
    source.onopen = () => setLive((now) => ({ ...now, isConnected: true }))
    source.onerror = () => setLive((now) => ({ ...now, isConnected: false }))
    source.addEventListener('event', ({ data }) => setLive((now) => take(now, JSON.parse(data))))
    source.addEventListener('skipped', () => setLive((now) => ({ ...now, hasSkipped: true })))
    source.addEventListener('changed', () => setLive((now) => ({ ...now, hasChanged: true })))
    return () => source.close()
  }, [path, event, distinct_id, isOn])

  const show = () => setLive(showWaiting)
  const hasToShow = !isHeld && live.waiting.length > 0
  useEffect(() => {
    if (hasToShow) setLive(showWaiting)
  }, [hasToShow])

  return {
    ...live,
    show,
    forget: () => setLive((now) => ({ ...NOTHING, isConnected: now.isConnected })),
  }
}

/** Whoever comes back to the stream is told the last minute again. */
function take(live: Live, event: ListedEvent): Live {
  const isKnown = [...live.waiting, ...live.shown].some(({ id }) => id === event.id)
  return isKnown
    ? live
    : { ...live, hasSkipped: false, waiting: [event, ...live.waiting].slice(0, MOST_HELD) }
}

const showWaiting = (live: Live): Live => ({
  ...live,
  waiting: [],
  shown: [...live.waiting, ...live.shown].slice(0, MOST_HELD),
})
