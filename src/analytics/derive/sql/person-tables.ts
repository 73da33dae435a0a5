import { sql } from 'kysely'
import type { AskedId, PersonTables } from '#server/analytics/identity/apply-identity-events.ts'
import type {
  DistinctId,
  IdentityChanges,
  IdentityWarning,
  PersonState,
} from '#server/analytics/identity/identity.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import type { SqlRunner } from './runner.ts'

/** `copies` are tables that have the number of each ID's person, as `person_ids` has. */
export const toPersonTables = (runner: SqlRunner, copies: readonly string[]): PersonTables => ({
  find: (ids) => findPersons(runner, ids),
  write: (changes) => writeChanges(runner, changes, ['person_ids', ...copies]),
})

type PersonRow = Omit<PersonState, 'since' | 'properties'> & { readonly properties: string }

async function findPersons(runner: SqlRunner, asked: readonly AskedId[]) {
  const given = await runner.given(
    'asked',
    { project_id: 'bigint', distinct_id: 'text' },
    asked.map(({ projectId, distinctId }) => [projectId, distinctId]),
  )
  const ids = await runner.run<DistinctId>(sql`
    select project_id::double precision as "projectId", distinct_id as "distinctId",
      person::double precision as person
    from (select distinct project_id, distinct_id from ${given}) asked
    join person_ids using (project_id, distinct_id)`)
  const found = await runner.given(
    'found',
    { person: 'bigint' },
    ids.map(({ person }) => [person]),
  )
  const persons = await runner.run<PersonRow>(sql`
    select number::double precision as number, project_id::double precision as "projectId",
      ${runner.toMilliseconds(sql`created_at`)}::double precision as "createdAt",
      is_identified as "isIdentified", has_profile as "hasProfile", properties::text as properties
    from persons where number in (select person from ${found})`)
  return {
    ids,
    persons: persons.map((person) => ({
      ...person,
      since: person.number,
      properties: JSON.parse(person.properties),
    })),
  }
}

async function writeChanges(
  runner: SqlRunner,
  { newIds, moves, changed, warnings }: IdentityChanges,
  tables: readonly string[],
): Promise<void> {
  if (newIds.length > 0) {
    const given = await runner.given(
      'new_ids',
      { project_id: 'bigint', distinct_id: 'text', person: 'bigint' },
      newIds.map(({ projectId, distinctId, person }) => [projectId, distinctId, person]),
    )
    await runner.run(sql`
      insert into person_ids (project_id, distinct_id, person)
      select project_id, distinct_id, person from ${given}`)
  }
  if (moves.length > 0) await writeMoves(runner, moves, tables)
  if (changed.length > 0) await updatePersons(runner, changed)
  await insertWarnings(runner, warnings)
}

/** Updates earlier events immediately, so that queries need not resolve merges. */
async function writeMoves(
  runner: SqlRunner,
  moves: IdentityChanges['moves'],
  tables: readonly string[],
): Promise<void> {
  const given = await runner.given(
    'moves',
    { source: 'bigint', target: 'bigint' },
    moves.map(({ from, to }) => [from, to]),
  )
  for (const table of tables) {
    await runner.run(
      sql`update ${sql.table(table)} set person = target from ${given} where person = source`,
    )
  }
  await runner.run(sql`delete from persons where number in (select source from ${given})`)
}

async function updatePersons(runner: SqlRunner, changed: readonly PersonState[]): Promise<void> {
  const given = await runner.given(
    'changed',
    {
      number: 'bigint',
      created_at: 'time',
      has_profile: 'boolean',
      is_identified: 'boolean',
      properties: 'json',
    },
    changed.map(({ number, createdAt, hasProfile, isIdentified, properties }) => [
      number,
      createdAt,
      hasProfile,
      isIdentified,
      toPropertiesText(properties),
    ]),
  )
  await runner.run(sql`
    update persons set created_at = changed.created_at, has_profile = changed.has_profile,
      is_identified = changed.is_identified, properties = changed.properties
    from ${given} where persons.number = changed.number`)
}

export async function insertWarnings(
  runner: SqlRunner,
  warnings: readonly IdentityWarning[],
): Promise<void> {
  if (warnings.length === 0) return
  const given = await runner.given(
    'warnings',
    { project_id: 'bigint', type: 'text', distinct_id: 'text', other_id: 'text' },
    warnings.map(({ projectId, type, distinctId, otherId }) => [
      projectId,
      type,
      distinctId,
      otherId,
    ]),
  )
  await runner.run(sql`
    insert into identity_warnings (project_id, type, distinct_id, other_id, created_at)
    select project_id, type, distinct_id, other_id, now() from ${given}`)
}
