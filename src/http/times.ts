import { isCanonicalTime, parseCanonicalTime } from '../analytics/canonical-time.ts'
import { isStorableTime } from '../analytics/event-row.ts'
import { invalid } from '../errors.ts'

const DATE = /^\d{4}-\d\d-\d\d/
const ZONE = /(?:Z|([+-]\d\d):?(\d\d))$/i

/** Parses an ISO 8601 time to milliseconds since 1970, or undefined. A time without a zone is UTC. */
export function parseTime(text: string): number | undefined {
  const time = isCanonicalTime(text) ? parseCanonicalTime(text) : Date.parse(normalize(text))
  return isStorableTime(time) ? time : undefined
}

function normalize(text: string): string {
  if (!DATE.test(text)) return ''
  const [date, clock] = [text.slice(0, 10), text.slice(10).replace(/^[T ]/i, '').trim()]
  if (clock === '') return date
  const [zone, hours = '+00', minutes = '00'] = ZONE.exec(clock) ?? ['']
  return `${date}T${clock.slice(0, clock.length - zone.length).trim()}${hours}:${minutes}`
}

export function requireTime(attr: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (time === undefined) throw invalid(attr, 'Enter a valid ISO 8601 time.')
  return new Date(time).toISOString()
}
