import { sql } from 'kysely'
import { sanitizeText } from '#server/db/sanitize.ts'
import { DIALECT } from '../duckdb/event-table.ts'
import type { EventTable, RequiredColumns, Sql } from '../event-table.ts'
import { toProjectSources } from '../project-sources.ts'
import type { SessionEvents } from '../sessions/select-sessions.ts'
import { withSessions } from '../sessions/with-sessions.ts'
import { type StoredColumns, toStoredColumns } from '../stored-columns.ts'
import { PLAIN } from '../strategy.ts'
import { type ToTexts, withProfiles } from '../with-profiles.ts'
import { EXPLAIN } from './explain.ts'
import { toAssignedPerson, toChangeCondition } from './outbox/event-change.ts'
import type { ProjectState } from './project-state.ts'
import { toMaterializedName } from './tables.ts'

export type EventState = Omit<ProjectState, 'waiting'>

/** Writes DuckDB's dialect, which `translate` turns into ClickHouse's. */
export function toEventTable(
  projectId: number,
  state: EventState,
  required: RequiredColumns,
): EventTable {
  const columns = toStoredColumns(required)
  const project = sql.lit(projectId)
  const property = (key: string): Sql => {
    const position = state.materialized.get(key)
    return position === undefined
      ? readProperty('e.properties', key)
      : sql`e.${sql.raw(toMaterializedName(position))}`
  }
  const table: SessionEvents = {
    ...DIALECT,
    strategy: { ...PLAIN, findsStepsInLists: true },
    rows: withProfiles(selectEvents(projectId, state, columns), project, columns, toTexts),
    property: (key) => property(sanitizeText(key)),
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
    explain: EXPLAIN,
  }
  return withSessions(table, required.sessions)
}

/** Names the columns, because ClickHouse analyzes each of them again in every subquery. */
function selectEvents(
  projectId: number,
  state: EventState,
  { properties, groupKeys }: StoredColumns,
): Sql {
  const positions = properties.map((key) => state.materialized.get(key))
  const columns = [
    ...['uuid', 'event', 'distinct_id', 'timestamp'],
    ...groupKeys.map((index) => `g${index}`),
    ...new Set(
      positions.map((position) =>
        position === undefined ? 'properties' : toMaterializedName(position),
      ),
    ),
  ]
  const { hasMoves, assignments } = state
  const person = hasMoves ? sql`coalesce(target, person)` : sql`person`
  return sql`(
    select ${sql.raw(columns.join(', '))}, ${toAssignedPerson(person, assignments)} as person
    from events ${hasMoves ? joinMoves(projectId) : sql``} where ${toVisible(projectId, state)})`
}

/** Joins the persons that were merged into another and still have events in ClickHouse. */
const joinMoves = (projectId: number): Sql => sql`
  left join (
    select number, person as target from person_moves where project_id = ${sql.lit(projectId)}
  ) moves on number = person`

/** Selects the events of a project without those whose deletion waits for ClickHouse. */
export const toVisible = (projectId: number, { deletions }: Pick<EventState, 'deletions'>): Sql =>
  sql.join(
    [
      sql`project_id = ${sql.lit(projectId)}`,
      ...deletions.map((deletion) => sql`not ${toChangeCondition(deletion)}`),
    ],
    sql` and `,
  )

const toName = (owner: string, index: number): string => `${owner}_property_${index}`

const toTexts: ToTexts = (owner, document, keys) =>
  keys.map((key, index) => ({ name: toName(owner, index), value: readProperty(document, key) }))

/** `property_text` is a name that only the translation knows, as are `checked`, `listed_steps` and `furthest_attempt`. */
const readProperty = (document: string, key: string): Sql =>
  sql`property_text(${sql.ref(document)}, ${sql.lit(key)})`
