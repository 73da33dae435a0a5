/** What says most about an event at a glance, if it has it. */
const TELLING = ['$pathname', '$current_url', '$browser', '$os', '$geoip_country_code']
/** What the other columns say. */
const TOLD = ['distinct_id', 'token', 'time']

type Properties = Readonly<Record<string, unknown>>

/** A value in a line. */
export function toLine(value: unknown, most = 120): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** Its own properties first: those that begin with `$` come from libraries. */
export function tellingOf(properties: Properties, most: number): readonly [string, unknown][] {
  const entries = Object.entries(properties).filter(([, value]) => value !== null && value !== '')
  const own = entries.filter(([name]) => !name.startsWith('$') && !TOLD.includes(name))
  const usual = TELLING.flatMap((name) => entries.filter(([key]) => key === name))
  const place =
    usual[0]?.[0] === '$pathname' ? usual.filter(([key]) => key !== '$current_url') : usual
  return [...own, ...place].slice(0, most)
}

export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  return typeof value
}
