import { refuse } from './errors.ts'

const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:\.\d{1,6})?))?)?\s*(Z|[+-]\d\d:?\d\d)?$/

/** Parses a time in a query here, because the databases reject different ones. */
export function toTimeText(value: unknown): { readonly text: string; readonly hasZone: boolean } {
  const [, date = '', minutes = '00:00', seconds = '00', zone] =
    (typeof value === 'string' && TIME.exec(value.trim())) || []
  const local = `${date} ${minutes}:${seconds}`
  if (!isReal(date) || !isTime(`${minutes}:${seconds}`, zone)) throw notATime(value)
  return { text: zone ? `${local}${zone === 'Z' ? '+00' : zone}` : local, hasZone: !!zone }
}

export function toDateText(value: unknown): string {
  const date = typeof value === 'string' ? value.trim().slice(0, 10) : ''
  if (!isReal(date)) throw notATime(value)
  return date
}

/** Says whether a text has a time of day. */
export const hasTimeOfDay = (text: string): boolean => text.trim().length > 10

/** A date in a zone, as `2026-01-31`. */
export function dayIn(zone: string, time: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(time)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

/** Rejects days that do not exist, such as February 30. */
function isReal(date: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || date.startsWith('0000')) return false
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

const isTime = (time: string, zone = 'Z'): boolean =>
  /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d/.test(time) && /^(Z|[+-](0\d|1[0-4]):?[0-5]\d)$/.test(zone)

function notATime(value: unknown) {
  const given =
    typeof value === 'string'
      ? `'${value.slice(0, 50)}' is not a time`
      : 'Only a time written out can be one'
  return refuse(
    `${given}: write it as '2026-01-31' or '2026-01-31 13:45:00', alone. A property that holds a time is compared as text.`,
  )
}
