import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import type { AskedId, PersonTables } from '../identity/apply-identity-events.ts'
import type {
  DistinctId,
  IdentityChanges,
  IdentityWarning,
  PersonState,
} from '../identity/identity.ts'
import { toPropertiesText } from '../properties-text.ts'
import { readRows } from './read-rows.ts'
import { fillTempTable, toTime } from './temp-table.ts'

/** `moreIds` are copies of `person_ids` to keep right. */
export const toPersonTables = (
  connection: DuckDBConnection,
  moreIds: readonly string[] = [],
): PersonTables => ({
  find: (ids) => findPersons(connection, ids),
  write: (changes) => writeChanges(connection, changes, moreIds),
})

async function findPersons(connection: DuckDBConnection, asked: readonly AskedId[]) {
  const askedRows = asked.map(({ projectId, distinctId }) => [projectId, distinctId])
  await fillTempTable(connection, 'asked_ids', ID_COLUMNS, askedRows)
  await connection.run(`create or replace temp table found_ids as
    select project_id, distinct_id, person from person_ids semi join asked_ids using (project_id, distinct_id)`)
  const ids = await readRows<[number, string, number]>(
    connection,
    'select project_id::double, distinct_id, person::double from found_ids',
  )
  const persons = await readRows<[number, number, number, boolean, boolean, string]>(
    connection,
    `select number::double, project_id::double, epoch_ms(created_at)::double, is_identified, has_profile, properties
      from persons where number in (select person from found_ids)`,
  )
  return {
    ids: ids.map(
      ([projectId, distinctId, person]): DistinctId => ({ projectId, distinctId, person }),
    ),
    persons: persons.map(
      ([number, projectId, createdAt, isIdentified, hasProfile, properties]) => ({
        number,
        projectId,
        since: number,
        createdAt,
        isIdentified,
        hasProfile,
        properties: JSON.parse(properties),
      }),
    ),
  }
}

async function writeChanges(
  connection: DuckDBConnection,
  { newIds, moves, changed, warnings }: IdentityChanges,
  moreIds: readonly string[],
): Promise<void> {
  if (newIds.length > 0) {
    const rows = newIds.map(({ projectId, distinctId, person }) => [projectId, distinctId, person])
    await fillTempTable(connection, 'new_ids', { ...ID_COLUMNS, person: 'double' }, rows)
    await connection.run('insert into person_ids from new_ids')
  }
  if (moves.length > 0) {
    const rows = moves.map(({ from, to }) => [from, to])
    await fillTempTable(connection, 'moves', { source: 'double', target: 'double' }, rows)
    for (const table of ['person_ids', 'facts', ...moreIds]) {
      await connection.run(`update ${table} set person = target from moves where person = source`)
    }
    await connection.run('delete from persons where number in (select source from moves)')
  }
  if (changed.length > 0) {
    await fillTempTable(connection, 'changed_persons', CHANGED_COLUMNS, changed.map(toChangedRow))
    await connection.run(`update persons set created_at = ${toTime('changed.created_at')},
      has_profile = changed.has_profile, is_identified = changed.is_identified, properties = changed.properties
      from changed_persons changed where persons.number = changed.number`)
  }
  await insertWarnings(connection, warnings)
}

export async function insertWarnings(
  connection: DuckDBConnection,
  warnings: readonly IdentityWarning[],
): Promise<void> {
  if (warnings.length === 0) return
  const rows = warnings.map((warning) => [
    warning.projectId,
    warning.type,
    warning.distinctId,
    warning.otherId,
  ])
  await fillTempTable(connection, 'new_warnings', WARNING_COLUMNS, rows)
  await connection.run('insert into identity_warnings select *, now() from new_warnings')
}

const ID_COLUMNS = { project_id: 'double', distinct_id: 'varchar' } as const

const WARNING_COLUMNS = {
  project_id: 'double',
  type: 'varchar',
  distinct_id: 'varchar',
  other_id: 'varchar',
} as const

const CHANGED_COLUMNS = {
  number: 'double',
  created_at: 'double',
  has_profile: 'boolean',
  is_identified: 'boolean',
  properties: 'varchar',
} as const

const toChangedRow = (person: PersonState): DuckDBValue[] => [
  person.number,
  person.createdAt,
  person.hasProfile,
  person.isIdentified,
  toPropertiesText(person.properties),
]
