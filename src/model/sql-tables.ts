export interface SqlColumn {
  readonly name: string
  readonly type: 'text' | 'number' | 'time' | 'boolean' | 'properties'
}

export interface SqlTable {
  readonly name: string
  readonly about: string
  readonly columns: readonly SqlColumn[]
}

const text = (...names: readonly string[]): SqlColumn[] =>
  names.map((name) => ({ name, type: 'text' }))
const time = (...names: readonly string[]): SqlColumn[] =>
  names.map((name) => ({ name, type: 'time' }))
const number = (...names: readonly string[]): SqlColumn[] =>
  names.map((name) => ({ name, type: 'number' }))
const PROPERTIES: SqlColumn = { name: 'properties', type: 'properties' }

/** The tables that SQL can read; see docs/sql.md. */
export const SQL_TABLES: readonly SqlTable[] = [
  {
    name: 'events',
    about: 'Everything that was captured or imported',
    columns: [
      ...text('uuid', 'event', 'distinct_id', 'person_id'),
      ...time('timestamp'),
      PROPERTIES,
      { name: 'person.properties', type: 'properties' },
      ...text('$group_0', '$group_1', '$group_2', '$group_3', '$group_4'),
    ],
  },
  {
    name: 'sessions',
    about: 'Visits, from the first to the last event',
    columns: [
      ...text('session_id', 'person_id'),
      ...time('$start_timestamp', '$end_timestamp'),
      ...number('$session_duration', '$event_count', '$pageview_count', '$screen_count'),
      ...number('$autocapture_count'),
      { name: '$is_bounce', type: 'boolean' },
      ...text('$entry_current_url', '$entry_pathname', '$end_current_url', '$end_pathname'),
      ...text('$entry_referring_domain', '$entry_utm_source', '$entry_utm_medium'),
      ...text('$entry_utm_campaign', '$entry_utm_term', '$entry_utm_content', '$channel_type'),
      ...text('$browser', '$os', '$device_type', '$geoip_country_code'),
      ...text('$geoip_subdivision_1_name', '$geoip_city_name'),
    ],
  },
  {
    name: 'persons',
    about: 'Persons with a profile',
    columns: [
      ...text('id'),
      ...time('created_at'),
      { name: 'is_identified', type: 'boolean' },
      PROPERTIES,
    ],
  },
  {
    name: 'person_distinct_ids',
    about: 'The distinct IDs of persons',
    columns: text('distinct_id', 'person_id'),
  },
  {
    name: 'groups',
    about: 'Companies and other groups',
    columns: [...number('index'), ...text('key'), ...time('created_at', 'updated_at'), PROPERTIES],
  },
  {
    name: 'cohort_people',
    about: 'The persons of cohorts',
    columns: [...text('person_id'), ...number('cohort_id')],
  },
  {
    name: 'import_configs',
    about: 'Import apps of the project and how they are doing',
    columns: [
      ...number('id'),
      ...text('name', 'app'),
      { name: 'enabled', type: 'boolean' },
      ...text('state'),
      ...time('since'),
      ...text('message'),
      ...time('last_success_at', 'next_run_at'),
      ...number('failures_in_a_row'),
      ...time('created_at'),
    ],
  },
  {
    name: 'import_runs',
    about: 'Runs of import apps, the newest 10,000',
    columns: [
      ...text('id'),
      ...number('config_id'),
      ...text('name', 'state', 'message'),
      ...time('created_at', 'started_at', 'finished_at'),
      ...number('events', 'new_events', 'skipped', 'attempt'),
    ],
  },
]
