import { sql } from 'kysely'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { EventTable, RequiredColumns, Sql } from '../event-table.ts'
import { toProjectSources } from '../project-sources.ts'
import type { SessionEvents } from '../sessions/select-sessions.ts'
import { withSessions } from '../sessions/with-sessions.ts'
import { type StoredColumns, toStoredColumns } from '../stored-columns.ts'
import { hasProfiles, type ToTexts, withProfiles } from '../with-profiles.ts'
import { EXPLAIN } from './explain.ts'
import { toGroupKeySql, toTypeNameQuery } from './group-keys-sql.ts'
import { type MaterializedColumns, toMaterializedColumn } from './materialized-columns.ts'
import { propertyText } from './property-text.ts'
import { toStrategy } from './strategy.ts'

/** Reads facts if they have every property that is required, and otherwise the JSON of `events`. */
export function toEventTable(
  projectId: number,
  collation: string,
  materialized: MaterializedColumns,
  required: RequiredColumns,
): EventTable {
  const columns = toStoredColumns(required)
  const project = sql.lit(projectId)
  const areMaterialized = columns.properties.every((key) => materialized.has(key))
  const property = (key: string): Sql =>
    areMaterialized
      ? sql`e.${toMaterializedColumn(materialized.get(key) as number)}`
      : sql`(${propertyText('e.properties', key)})`
  const table: SessionEvents = {
    rows: withProfiles(
      areMaterialized ? fromFacts(project, materialized, columns) : fromEvents(project, columns),
      project,
      columns,
      toTexts,
    ),
    property: (key) => property(sanitizeText(key)),
    personProperty: (key) =>
      sql`e.${sql.raw(toName('person', columns.personProperties.indexOf(sanitizeText(key))))}`,
    personUuid: sql`e.person_uuid`,
    ...toProjectSources(project),
    profileString: (key) =>
      sql`jsonb_extract_path_text(p.properties, ${sanitizeText(key)}::text) collate "C"`,
    profileProperty: (key) => sql`(${propertyText('p.properties', sanitizeText(key))})`,
    groupKey: (index) => sql`e.${toGroupColumn(index)}`,
    groupProperty({ index, key }) {
      const place = columns.groupProperties.get(index)?.indexOf(sanitizeText(key)) ?? -1
      return sql`e.${sql.raw(toName(`group_${index}`, place))}`
    },
    groupProfileProperty: (key) => sql`(${propertyText('g.properties', sanitizeText(key))})`,
    milliseconds: toMilliseconds(sql`e.timestamp`),
    toMilliseconds,
    toNumber: (text) =>
      sql`case when length(${text}) <= ${sql.lit(MAX_NUMBER)} and ${text} ~ ${sql.lit(NUMBER)} then case when abs((${text})::double precision) < 1e100 then (${text})::double precision end end`,
    like: (text, pattern) => sql`${text} like ${pattern}::text`,
    matches: (text, pattern) => sql`${text} ~ ${pattern}::text`,
    lower: (text) => sql`lower((${text}) collate ${sql.id(collation)})`,
    compute: (left, operator, right) => sql`(${left} ${sql.raw(operator)} ${right})`,
    divide: (dividend, divisor) => sql`(${dividend} / ${divisor})`,
    countBits: (number) => sql`bit_count(${number}::bit(64))`,
    sortable: (text) => sql`(${text}) collate "C"`,
    readsAllRows: true,
    explain: EXPLAIN,
    strategy: toStrategy(areMaterialized && !hasProfiles(columns)),
  }
  return withSessions(table, required.sessions)
}

/** Exact enough for milliseconds; `extract` took half of the time of many queries. */
const toMilliseconds = (time: Sql): Sql => sql`(date_part('epoch', ${time}) * 1000)::bigint`

function fromFacts(
  project: Sql,
  materialized: MaterializedColumns,
  { properties, groupKeys }: StoredColumns,
): Sql {
  const columns = [
    ...[...new Set(properties)].map((key) => toMaterializedColumn(materialized.get(key) as number)),
    ...groupKeys.map(toGroupColumn),
  ]
  return sql`(select ${sql.join([...EVENT_COLUMNS, ...columns])} from facts where project_id = ${project})`
}

function fromEvents(project: Sql, { groupKeys }: StoredColumns): Sql {
  const columns = groupKeys.map((index) => {
    const key = toGroupKeySql('properties', toTypeNameQuery(project, index))
    return sql`${key} as ${toGroupColumn(index)}`
  })
  return sql`(select ${sql.join([...EVENT_COLUMNS, sql`properties`, ...columns])}
    from events join person_ids using (project_id, distinct_id) where project_id = ${project})`
}

const EVENT_COLUMNS = ['uuid', 'event', 'distinct_id', 'person', 'timestamp'].map((name) =>
  sql.raw(name),
)

const toGroupColumn = (index: number): Sql => sql.raw(`g${index}`)

const toName = (owner: string, index: number): string => `${owner}_property_${index}`

const toTexts: ToTexts = (owner, document, keys) =>
  keys.map((key, index) => ({ name: toName(owner, index), value: propertyText(document, key) }))

/** Matches numbers that DuckDB accepts too. A pattern that counts the digits would take 20 times as long. */
const NUMBER = '^\\s*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,2})?\\s*$'
/** The maximum length of a text that is parsed as a number. */
const MAX_NUMBER = 200
