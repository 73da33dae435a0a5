import { compareBytes } from '#server/analytics/properties-text.ts'
import type { TestEvent } from '../support/data/queries.ts'

const SILENCE = 30 * 60_000
const VIEWS = ['$pageview', '$screen']

export interface Visit {
  readonly event: string
  readonly person: string
  readonly ms: number
  readonly uuid: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** A session and its events. */
export interface ReferenceSession {
  readonly session: Readonly<Record<string, unknown>>
  readonly visits: readonly Visit[]
}

/** Lists the sessions of events by their IDs. */
export const expectSessions = (events: readonly TestEvent[]) =>
  divideSessions(events).map(({ session }) => session)

/** Divides the events of each person into sessions, one event after the other. */
export function divideSessions(events: readonly TestEvent[]): ReferenceSession[] {
  const sessions = new Map<string, Visit[]>()
  const open = new Map<string, { readonly id: string; lastMs: number }>()
  const visits = events
    .map(({ event = 'a', person = 'ada', at, uuid = '', properties = {} }) => ({
      ...{ event, person, ms: Date.parse(at), uuid, properties },
    }))
    .sort((one, other) => one.ms - other.ms || compareBytes(one.uuid, other.uuid))
  for (const visit of visits) {
    const given = visit.properties.$session_id
    const id = given ? String(given) : toOwnId(visit, open)
    if (id) sessions.set(id, [...(sessions.get(id) ?? []), visit])
  }
  return [...sessions]
    .sort(([one], [other]) => compareBytes(one, other))
    .map(([id, of]) => ({ session: toSession(id, of), visits: of }))
}

function toOwnId(
  { event, person, ms, uuid }: Visit,
  open: Map<string, { readonly id: string; lastMs: number }>,
): string | undefined {
  if (!VIEWS.includes(event)) return undefined
  const last = open.get(person)
  const session = last && ms - last.lastMs < SILENCE ? last : { id: uuid, lastMs: ms }
  session.lastMs = ms
  open.set(person, session)
  return session.id
}

function toSession(id: string, visits: readonly Visit[]) {
  const times = visits.map(({ ms }) => ms)
  const [start, end] = [Math.min(...times), Math.max(...times)]
  const countOf = (event: string) => visits.filter((visit) => visit.event === event).length
  const views = countOf('$pageview') + countOf('$screen')
  const seconds = Math.floor((end - start) / 1000)
  const pages = visits.filter(({ event }) => VIEWS.includes(event))
  return {
    session_id: id,
    $start_timestamp: new Date(start).toISOString(),
    $end_timestamp: new Date(end).toISOString(),
    $session_duration: seconds,
    $event_count: visits.length,
    $pageview_count: countOf('$pageview'),
    $screen_count: countOf('$screen'),
    $autocapture_count: countOf('$autocapture'),
    $is_bounce: views === 0 ? null : views === 1 && countOf('$autocapture') === 0 && seconds < 10,
    $entry_pathname: textsOf(pages, '$pathname')[0] ?? null,
    $end_pathname: textsOf(pages, '$pathname').at(-1) ?? null,
    $entry_referring_domain: textsOf(visits, '$referring_domain')[0] ?? null,
    $entry_utm_source: textsOf(visits, 'utm_source')[0] ?? null,
    $geoip_country_code: textsOf(visits, '$geoip_country_code')[0] ?? null,
  }
}

/** Lists the texts of a property by time. Simultaneous ones are sorted by their bytes. */
const textsOf = (visits: readonly Visit[], key: string): string[] =>
  visits
    .flatMap(({ ms, properties }) =>
      typeof properties[key] === 'string' ? [{ ms, text: properties[key] }] : [],
    )
    .sort((one, other) => one.ms - other.ms || compareBytes(one.text, other.text))
    .map(({ text }) => text)
