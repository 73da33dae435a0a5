import { sql } from 'kysely'
import { sanitizeText } from '#server/db/sanitize.ts'
import { DIALECT } from '../duckdb/event-table.ts'
import type { EventTable, RequiredColumns, Sql } from '../event-table.ts'
import { toProjectSources } from '../project-sources.ts'
import { type StoredColumns, toStoredColumns } from '../stored-columns.ts'
import { type ToTexts, withProfiles } from '../with-profiles.ts'

/** Writes DuckDB's dialect, which `translate` turns into ClickHouse's. */
export function toEventTable(projectId: number, required: RequiredColumns): EventTable {
  const columns = toStoredColumns(required)
  const project = sql.lit(projectId)
  return {
    ...DIALECT,
    rows: withProfiles(selectEvents(project, columns), project, columns, toTexts),
    property: (key) => readProperty('e.properties', sanitizeText(key)),
    personProperty: (key) =>
      sql`e.${sql.raw(toName('person', columns.personProperties.indexOf(sanitizeText(key))))}`,
    personUuid: sql`e.person_uuid`,
    ...toProjectSources(project),
    profileProperty: (key) => readProperty('p.properties', sanitizeText(key)),
    profileString: (key) => readProperty('p.properties', sanitizeText(key)),
    groupKey: (index) => sql`e.${sql.raw(`g${index}`)}`,
    groupProperty({ index, key }) {
      const place = columns.groupProperties.get(index)?.indexOf(sanitizeText(key)) ?? -1
      return sql`e.${sql.raw(toName(`group_${index}`, place))}`
    },
    // ClickHouse itself would silently return another number
    compute: (left, operator, right) => sql`checked(${sql.lit(operator)}, ${left}, ${right})`,
    groupProfileProperty: (key) => readProperty('g.properties', sanitizeText(key)),
  }
}

/** Names the columns, because ClickHouse analyzes each of them again in every subquery. */
function selectEvents(project: Sql, { properties, groupKeys }: StoredColumns): Sql {
  const columns = [
    ...['uuid', 'event', 'distinct_id', 'person', 'timestamp'],
    ...groupKeys.map((index) => `g${index}`),
    ...(properties.length > 0 ? ['properties'] : []),
  ]
  return sql`(select ${sql.raw(columns.join(', '))} from events where project_id = ${project})`
}

const toName = (owner: string, index: number): string => `${owner}_property_${index}`

const toTexts: ToTexts = (owner, document, keys) =>
  keys.map((key, index) => ({ name: toName(owner, index), value: readProperty(document, key) }))

/** `property_text`, like `checked`, is a name that only the translation knows. */
const readProperty = (document: string, key: string): Sql =>
  sql`property_text(${sql.ref(document)}, ${sql.lit(key)})`
