import { deleteDuplicates } from '#server/analytics/duckdb/dedupe.ts'
import { rebuildFacts } from '#server/analytics/duckdb/facts.ts'
import { type EventsFile, openEventsFile } from '#server/analytics/duckdb/file.ts'
import type { PropertyKeys } from '#server/analytics/materialized-properties.ts'

/** Materialized from the start, as after a first query. */
export const MATERIALIZED = [
  '$browser',
  '$pathname',
  '$session_id',
  'plan',
  'amount',
  '$current_url',
] as const
export const DAYS = 90
/** The day after the last event. */
export const END = '2026-04-01T00:00:00Z'

const AT_A_TIME = 500_000

/** The ID of the installation that the events belong to. */
export const INSTALLATION = 'bench'

/** The number of persons in a data set, and of those who sign in and get another ID. */
export interface Visitors {
  readonly persons: number
  readonly accounts: number
}

const FEW: Visitors = { persons: 50_000, accounts: 0 }
/** A million distinct IDs, of which a fifth is merged into another. */
export const MERGED: Visitors = { persons: 800_000, accounts: 200_000 }

interface DataSet {
  readonly count: number
  readonly days: number
  readonly visitors: Visitors
}

/** Returns the statement that inserts a range of the events. */
export type ToInsertion = (from: number, to: number, of: DataSet) => string

/**
 * Generates a product's events over `days` days, ordered by time: 30 kinds, half of them page views. DuckDB generates
 * them, because importing 10 million would take minutes.
 */
const insertion: ToInsertion = (from, to, { count, days, visitors }) => `
  insert into events
  select 1, i, uuid(),
    case when is_sign_in then '$identify' else event end,
    case when is_sign_in then 'account ' || account when i > visitor * ${gapOf(count, visitors)} and visitor < ${visitors.accounts} then 'account ' || visitor else 'user ' || visitor end,
    happened,
    case when is_sign_in then '{"$anon_distinct_id":"user ' || account || '","$set":{"plan":"' || plan || '","email":"' || account || '@example.com"}}'
    else '{"$browser":"' || browser || '","$pathname":"/page/' || (h // 7 % 400) || '","$session_id":"s' || visitor || '-' || (i // 40000)
      || '","plan":"' || plan || '","amount":' || (h // 11 % 500) || ',"$os":"Linux","$lib":"web","note":"twelve months, paid by invoice"}' end,
    now()
  from (
    select i, hash(i) as h, (hash(i) % ${visitors.persons})::bigint as visitor,
      ${visitors.accounts} > 0 and i % ${gapOf(count, visitors)} = 0 as is_sign_in, i // ${gapOf(count, visitors)} as account,
      timestamptz '${END}' - interval '${days} days' + to_microseconds((i * ${(days * 86_400_000_000) / count})::bigint) as happened,
      case when hash(i * 3) % 2 = 0 then '$pageview' else 'event ' || (hash(i * 5) % 29) end as event,
      ['Chrome', 'Safari', 'Firefox', 'Edge', 'Opera'][(1 + hash(i * 7) % 5)::integer] as browser,
      ['free', 'starter', 'team', 'company'][(1 + hash(i * 11) % 4)::integer] as plan
    from range(${from}, ${to}) t(i)
  )`

/** Events from one sign-in to the next. */
const gapOf = (count: number, { accounts }: Visitors): number =>
  accounts === 0 ? 1 : Math.floor(count / accounts)

interface Generated {
  readonly days: number
  readonly visitors: Visitors
  readonly toInsertion: ToInsertion
  /** The properties that have columns. */
  readonly materialized: PropertyKeys
}

/** Opens an event store with `count` deduplicated events. */
export async function makeEvents(
  folder: string,
  count: number,
  say: (text: string) => void,
  {
    days = DAYS,
    visitors = FEW,
    toInsertion = insertion,
    materialized = MATERIALIZED,
  }: Partial<Generated> = {},
): Promise<EventsFile> {
  const file = await openEventsFile(folder, { id: INSTALLATION, has_events: 0 })
  await rebuildFacts(file.changes, materialized, 0)
  for (let from = 1; from <= count; from += AT_A_TIME) {
    const to = Math.min(from + AT_A_TIME, count + 1)
    await file.changes.run(toInsertion(from, to, { count, days, visitors }))
    await deleteDuplicates(file.changes, materialized, from - 1, to - 1)
    if (from % 5_000_000 === 1) say(`${(to - 1).toLocaleString('en')} events`)
  }
  await file.changes.run('checkpoint')
  return file
}
