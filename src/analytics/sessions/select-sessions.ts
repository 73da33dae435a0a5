import { sql } from 'kysely'
import type { EventTable, Sql, TimeSpan } from '../event-table.ts'
import { toChannel } from './channel.ts'

/** Views without a `$session_id` this far apart, or further, belong to two sessions. In milliseconds. */
const SILENCE = 30 * 60_000
/** Makes the milliseconds of the years 1 to 9999 numbers of 16 digits, which sort as text. */
const SHIFT = 2_000_000_000_000_000
/** The position behind these digits. */
const VALUE = 17
/** A visit with one view that is shorter is a bounce. In seconds. */
const BOUNCE = 10

const isView = sql`v.event in ('$pageview', '$screen')`

/** Whether a session `s` with a view is a bounce. */
export const isBounce = sql`(s.views + s.screens = 1 and s.clicks = 0 and s.seconds < ${sql.lit(BOUNCE)})`

/** The columns of each event `v`. `shifted` is the time as text. */
type EventColumn = 'event' | 'uuid' | 'timestamp' | 'shifted'

/** A value that the events `v` of a session have together. */
interface SessionField {
  /** PostgreSQL computes each column that is selected, read or not. */
  readonly reads?: readonly EventColumn[]
  /** The properties of events that it reads. */
  readonly properties?: readonly string[]
  /** Whether it reads the uuid of the person. */
  readonly readsPerson?: true
  aggregate(table: SessionEvents, properties: readonly Sql[]): Sql
}

/** Prefixes a value with the time of its event, so that the least is the first. Null stays null. */
const dated = (table: SessionEvents, value: Sql): Sql => table.sortable(sql`v.shifted || ${value}`)

const first = (table: SessionEvents, value: Sql): Sql =>
  sql`substring(min(${dated(table, value)}), ${sql.lit(VALUE)})`

const last = (table: SessionEvents, value: Sql): Sql =>
  sql`substring(max(${dated(table, value)}), ${sql.lit(VALUE)})`

/** The first text that an event of the session has. */
const entry = (...properties: readonly string[]): SessionField => ({
  properties,
  reads: ['shifted'],
  aggregate: (table, texts) =>
    first(table, texts.length > 1 ? sql`coalesce(${sql.join(texts)})` : (texts[0] as Sql)),
})

const ofView = (
  property: string,
  pick: (table: SessionEvents, value: Sql) => Sql,
): SessionField => ({
  properties: [property],
  reads: ['shifted', 'event'],
  aggregate: (table, [text]) => pick(table, sql`case when ${isView} then ${text} end`),
})

/** Counts events of one name. */
const count = (condition: Sql): SessionField => ({
  reads: ['event'],
  aggregate: () => sql`count(case when ${condition} then 1 end)`,
})

const FIELDS = {
  id: {
    reads: ['shifted', 'uuid'],
    aggregate: (table) => sql`coalesce(v.id, ${first(table, sql`v.uuid`)})`,
  },
  person: {
    reads: ['shifted'],
    readsPerson: true,
    aggregate: (table) => first(table, sql`v.person_id`),
  },
  started: { reads: ['timestamp'], aggregate: () => sql`min(v.timestamp)` },
  ended: { reads: ['timestamp'], aggregate: () => sql`max(v.timestamp)` },
  seconds: {
    aggregate: (table) =>
      table.divide(table.compute(sql`max(v.ms)`, '-', sql`min(v.ms)`), sql.lit(1000)),
  },
  events: { aggregate: () => sql`count(*)` },
  views: count(sql`v.event = '$pageview'`),
  screens: count(sql`v.event = '$screen'`),
  clicks: count(sql`v.event = '$autocapture'`),
  entry_url: ofView('$current_url', first),
  entry_path: ofView('$pathname', first),
  exit_url: ofView('$current_url', last),
  exit_path: ofView('$pathname', last),
  domain: entry('$referring_domain'),
  source: entry('utm_source'),
  medium: entry('utm_medium'),
  campaign: entry('utm_campaign'),
  term: entry('utm_term'),
  content: entry('utm_content'),
  ad_click: entry('gclid', 'gad_source'),
  browser: entry('$browser'),
  os: entry('$os'),
  device: entry('$device_type'),
  country: entry('$geoip_country_code'),
  region: entry('$geoip_subdivision_1_name'),
  city: entry('$geoip_city_name'),
  /** The number of a person of the session, and the events that a condition of the statement chooses. */
  visitor: { aggregate: () => sql`min(v.visitor)` },
  hits: { aggregate: () => sql`sum(v.hit)` },
  /** The values by which an event finds its session: see `withSessions`. */
  key_id: { aggregate: () => sql`coalesce(v.id, '')` },
  key_person: { aggregate: () => sql`v.person` },
  first_ms: { aggregate: () => sql`min(v.ms)` },
  last_ms: { aggregate: () => sql`max(v.ms)` },
} satisfies Readonly<Record<string, SessionField>>

export type FieldName = keyof typeof FIELDS

const fieldOf = (name: FieldName): SessionField => FIELDS[name]

/** A column of the sessions `s` that `selectSessions` returns. */
export interface SessionColumn {
  readonly name: string
  readonly type: 'String' | 'Integer' | 'DateTime' | 'Boolean'
  readonly fields: readonly FieldName[]
  /** Computes the column from the fields. Default: the only field. */
  readonly select?: (table: SessionEvents) => Sql
}

const plain = (
  name: string,
  field: FieldName,
  type: SessionColumn['type'] = 'String',
): SessionColumn => ({ name, type, fields: [field] })

/** The columns by PostHog's names, and some that its table has not: person_id, device, browser, system and country. */
export const SESSION_COLUMNS: readonly SessionColumn[] = [
  plain('session_id', 'id'),
  plain('person_id', 'person'),
  plain('$start_timestamp', 'started', 'DateTime'),
  plain('$end_timestamp', 'ended', 'DateTime'),
  plain('$session_duration', 'seconds', 'Integer'),
  plain('$event_count', 'events', 'Integer'),
  plain('$pageview_count', 'views', 'Integer'),
  plain('$screen_count', 'screens', 'Integer'),
  plain('$autocapture_count', 'clicks', 'Integer'),
  {
    name: '$is_bounce',
    type: 'Boolean',
    fields: ['views', 'screens', 'clicks', 'seconds'],
    select: () => sql`case when s.views + s.screens > 0 then ${isBounce} end`,
  },
  plain('$entry_current_url', 'entry_url'),
  plain('$entry_pathname', 'entry_path'),
  plain('$end_current_url', 'exit_url'),
  plain('$end_pathname', 'exit_path'),
  plain('$entry_referring_domain', 'domain'),
  plain('$entry_utm_source', 'source'),
  plain('$entry_utm_medium', 'medium'),
  plain('$entry_utm_campaign', 'campaign'),
  plain('$entry_utm_term', 'term'),
  plain('$entry_utm_content', 'content'),
  {
    name: '$channel_type',
    type: 'String',
    fields: ['domain', 'source', 'medium', 'campaign', 'ad_click'],
    select: (table) =>
      toChannel(table, {
        domain: sql`s.domain`,
        source: sql`s.source`,
        medium: sql`s.medium`,
        campaign: sql`s.campaign`,
        adClick: sql`s.ad_click`,
      }),
  },
  plain('$browser', 'browser'),
  plain('$os', 'os'),
  plain('$device_type', 'device'),
  plain('$geoip_country_code', 'country'),
  plain('$geoip_subdivision_1_name', 'region'),
  plain('$geoip_city_name', 'city'),
]

/** The property that every statement over sessions reads. */
export const SESSION_ID = '$session_id'

/** Lists the properties of events that fields read, besides `$session_id`. */
export const propertiesOf = (names: readonly FieldName[]): readonly string[] => [
  ...new Set(names.flatMap((name) => fieldOf(name).properties ?? [])),
]

export const readsPerson = (names: readonly FieldName[]): boolean =>
  names.some((name) => fieldOf(name).readsPerson)

/** PostHog's libraries end a session after this time. In seconds. */
const LONGEST = 86_400

/** Matches events of the sessions that have an event in the span. */
function isNearSpan({ from, to }: TimeSpan): Sql {
  const toTime = (seconds: number) => new Date(seconds * 1000).toISOString()
  return sql`(e.timestamp >= ${toTime(from - LONGEST)}::timestamptz and e.timestamp < ${toTime(to + LONGEST)}::timestamptz)`
}

interface SessionChoice {
  /** Reads only events of this time, and a day before and after. */
  readonly span?: TimeSpan | undefined
  /** Chooses the events `e` that `hits` counts. */
  readonly isHit?: Sql
}

/** The parts of an event table that sessions are found with. */
export type SessionEvents = Omit<EventTable, 'sessionProperty'>

/**
 * Selects one row per session, with these fields. Events with the same `$session_id` are a session. Page views and
 * screens without one are sessions of their person, divided by half an hour of silence; other events without one belong
 * to none, because programs send them.
 */
export function selectSessions(
  table: SessionEvents,
  names: readonly FieldName[],
  { span, isHit = sql`true` }: SessionChoice = {},
): Sql {
  const isNear = span ? isNearSpan(span) : sql`true`
  const properties = propertiesOf(names)
  const columnOf = (property: string) => sql.raw(`p${properties.indexOf(property)}`)
  const own = [
    ...properties.map((property) => ({
      name: columnOf(property),
      value: table.property(property),
    })),
    ...(readsPerson(names) ? [{ name: sql.raw('person_id'), value: table.personUuid }] : []),
    ...(names.includes('visitor') ? [{ name: sql.raw('visitor'), value: sql`e.person` }] : []),
    ...(names.includes('hits')
      ? [{ name: sql.raw('hit'), value: sql`case when ${isHit} then 1 else 0 end` }]
      : []),
  ]
  const session = sql`nullif(${table.property(SESSION_ID)}, '')`
  const shifted = table.compute(table.milliseconds, '+', sql.lit(SHIFT))
  const values: Readonly<Record<EventColumn, Sql>> = {
    event: sql`e.event`,
    uuid: sql`e.uuid::text`,
    timestamp: sql`e.timestamp`,
    shifted: sql`(${shifted})::text`,
  }
  const read = [...new Set(names.flatMap((name) => fieldOf(name).reads ?? []))]
  const listColumns = (those: readonly EventColumn[]) =>
    sql.join([
      ...those.map((name) => sql`${values[name]} as ${sql.raw(name)}`),
      sql`${table.milliseconds} as ms`,
      ...own.map(({ name, value }) => sql`${value} as ${name}`),
    ])
  const listNames = (those: readonly EventColumn[]) =>
    sql.join([...those.map((name) => sql.raw(name)), sql`ms`, ...own.map(({ name }) => name)])
  const kept = listNames(read)
  const toDivide = [...new Set([...read, 'uuid' as const])]
  const order = sql`partition by person order by ms, ${table.sortable(sql`uuid`)}`
  const fields = names.map((name) => {
    const { aggregate, properties = [] } = fieldOf(name)
    const texts = properties.map((property) => sql`v.${columnOf(property)}`)
    return sql`${aggregate(table, texts)} as ${sql.raw(name)}`
  })
  return sql`select ${fields.length > 0 ? sql.join(fields) : sql`1 as one`} from (
      select ${kept}, id, 0::bigint as person, 0::bigint as nth
      from (select ${listColumns(read)}, ${session} as id from ${table.rows} e where ${isNear}) named where id is not null
      union all
      select ${kept}, null::text as id, person, nth from (
        select ${kept}, person,
          (sum(case when ms - before < ${sql.lit(SILENCE)} then 0 else 1 end)
            over (${order} rows unbounded preceding))::bigint as nth
        from (
          select ${listNames(toDivide)}, person, lag(ms) over (${order}) as before
          from (select ${listColumns(toDivide)}, e.person as person, ${session} as id from ${table.rows} e
            where e.event in ('$pageview', '$screen') and ${isNear}) unnamed
          where id is null
        ) apart
      ) numbered
    ) v group by v.id, v.person, v.nth`
}
