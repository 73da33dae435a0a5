import type { NewEvent } from '../shared/delivery.ts'
import { eventsOfSession } from './events.ts'
import { type Session, sessionsOn } from './sessions.ts'
import { DAYS, type World } from './world.ts'

/** The number of sessions that are moved, and the time in which they begin. */
const SESSIONS = 8
const SPAN_MS = 15 * 60_000
/** The share of a history that they can have. */
const MAX_SHARE = 0.01

/**
 * Returns events of the last minutes, so that there is someone on the site whenever the history is generated: the next
 * sessions, moved to now. Their IDs stay, so the schedule does not store them again at their own time.
 */
export function recentEvents(world: World, now: number): NewEvent[] {
  const events = nextSessions(world, now).flatMap((session, index) => {
    const start = now - SPAN_MS + (index * SPAN_MS) / SESSIONS
    return [...eventsOfSession(world, session)].map((event) => moveBy(event, start - session.start))
  })
  return events
    .filter(({ timestamp }) => Date.parse(timestamp as string) <= now)
    .slice(0, Math.floor(world.events * MAX_SHARE))
}

function nextSessions(world: World, now: number): Session[] {
  const today = sessionsOn(world, DAYS).filter(({ start }) => start > now)
  return [...today, ...sessionsOn(world, DAYS + 1)].slice(0, SESSIONS)
}

const moveBy = (event: NewEvent, milliseconds: number): NewEvent => ({
  ...event,
  timestamp: new Date(Date.parse(event.timestamp as string) + milliseconds).toISOString(),
})
