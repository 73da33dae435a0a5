export interface ClickHouseSettings {
  /** Contains the port, and the user and password if there are any, so it is never shown. */
  readonly url: string
  /** undefined: a single server. */
  readonly cluster: string | undefined
  /** The days for which the UUIDs of events are kept to find duplicates. 0: forever. */
  readonly keysDays: number
  /** The megabytes of events that may wait for ClickHouse. */
  readonly maxWaitingMb: number
}

/** The settings that need no address. */
export const CLICKHOUSE_DEFAULTS = { keysDays: 0, maxWaitingMb: 1024 } as const

const MAX_KEYS_DAYS = 3650
const MAX_WAITING_MB = 1_000_000

/** Returns undefined if events are not in ClickHouse. Adds to the problems. */
export function toClickHouse(
  value: (name: string) => string | undefined,
  databaseUrl: string | undefined,
  problems: string[],
): ClickHouseSettings | undefined {
  const address = value('EVENTS_URL')
  const cluster = toCluster('EVENTS_CLUSTER', value('EVENTS_CLUSTER'), problems)
  if (address === undefined) {
    if (cluster !== undefined) problems.push('EVENTS_CLUSTER needs EVENTS_URL.')
    return undefined
  }
  if (databaseUrl === undefined) {
    problems.push('EVENTS_URL needs DATABASE_URL: events pass through PostgreSQL to ClickHouse.')
  }
  const { keysDays, maxWaitingMb } = CLICKHOUSE_DEFAULTS
  const toNumber = (name: string, byDefault: number, min: number, max: number): number => {
    const text = value(name) ?? String(byDefault)
    if (/^\d{1,7}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
    return byDefault
  }
  return Object.freeze({
    url: toClickHouseUrl('EVENTS_URL', address, problems),
    cluster,
    keysDays: toNumber('EVENTS_KEYS_DAYS', keysDays, 0, MAX_KEYS_DAYS),
    maxWaitingMb: toNumber('EVENTS_WAITING_MB', maxWaitingMb, 1, MAX_WAITING_MB),
  })
}

const EXAMPLE = 'clickhouse://user:password@host:8123/database'
/** Matches names that need no quotes in SQL. */
const IDENTIFIER = /^[A-Za-z_]\w{0,63}$/

/** Adds the default port. Adds to the problems, but never repeats the address, which may contain a password. */
export function toClickHouseUrl(name: string, text: string, problems: string[]): string {
  const [, tls] = /^clickhouse(s?):\/\//.exec(text) ?? []
  if (tls === undefined) {
    problems.push(`${name} must start with clickhouse://, or with clickhouses:// for TLS.`)
    return text
  }
  const url = URL.parse(text)
  if (!url?.hostname || !isEncoded(url)) {
    problems.push(
      `${name} must have a host, as in ${EXAMPLE}; special characters in the user and password must be percent-encoded.`,
    )
    return text
  }
  if (!IDENTIFIER.test(url.pathname.slice(1)) || url.search || url.hash) {
    problems.push(
      `${name} must end with the name of a database, as in ${EXAMPLE}; the name has only letters, digits and _.`,
    )
  }
  url.port ||= tls ? '8443' : '8123'
  return url.href
}

function isEncoded({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

export function toCluster(
  name: string,
  text: string | undefined,
  problems: string[],
): string | undefined {
  if (text !== undefined && !IDENTIFIER.test(text)) {
    problems.push(`${name} must have only letters, digits and _, not "${text}".`)
  }
  return text
}
