import { toValueLabel } from '#model/names/event-label.ts'

/** Library properties worth a glance, most useful first. */
const GLANCE = ['$pathname', '$current_url', '$browser', '$os', '$geoip_country_code']
/** Shown in other columns. */
const REDUNDANT = ['distinct_id', 'token', 'time']

type Properties = Readonly<Record<string, unknown>>

/** Shortens a value to one line. */
export function toLine(value: unknown, maxLength = 120): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}

/** Shortens a value to one line as people read it: `$direct` is Direct. */
export const toShownLine = (value: unknown, maxLength?: number): string =>
  toLine(typeof value === 'string' ? toValueLabel(value) : value, maxLength)

/** Names that libraries set, such as those of a campaign, which every event of a visit has. */
const isOfLibrary = (name: string): boolean => name.startsWith('$') || name.startsWith('utm_')

/** Custom properties first. */
export function pickProperties(properties: Properties, max: number): readonly [string, unknown][] {
  const entries = Object.entries(properties).filter(([, value]) => value !== null && value !== '')
  const own = entries.filter(([name]) => !isOfLibrary(name) && !REDUNDANT.includes(name))
  const usual = GLANCE.flatMap((name) => entries.filter(([key]) => key === name))
  const place =
    usual[0]?.[0] === '$pathname' ? usual.filter(([key]) => key !== '$current_url') : usual
  return [...own, ...place].slice(0, max)
}

export function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  return typeof value
}
