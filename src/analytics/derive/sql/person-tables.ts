import { sql } from 'kysely'
import type { PersonTables } from '#server/analytics/identity/apply-identity-events.ts'
import type {
  DistinctId,
  IdentityWarning,
  PersonState,
} from '#server/analytics/identity/identity.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import type { SqlRunner } from './runner.ts'

type PersonRow = Omit<PersonState, 'since' | 'properties'> & { readonly properties: string }

const ID = { project_id: 'bigint', distinct_id: 'text' } as const

/** `copies` are tables that have the number of each ID's person, as `person_ids` has. */
export const toPersonTables = (runner: SqlRunner, copies: readonly string[]): PersonTables => ({
  async find(wanted) {
    const wantedIds = wanted.map(({ projectId, distinctId }) => [projectId, distinctId])
    const ids = await runner.run<DistinctId>(sql`
      select project_id::double precision as "projectId", distinct_id as "distinctId",
        person::double precision as person
      from (select distinct project_id, distinct_id from ${await runner.given('wanted', ID, wantedIds)}) wanted
      join person_ids using (project_id, distinct_id)`)
    const numbers = ids.map(({ person }) => [person])
    const persons = await runner.run<PersonRow>(sql`
      select number::double precision as number, project_id::double precision as "projectId",
        ${runner.toMilliseconds(sql`created_at`)} as "createdAt", is_identified as "isIdentified",
        has_profile as "hasProfile", properties::text as properties
      from persons where number in (select person from ${await runner.given('found', { person: 'bigint' }, numbers)})`)
    const toState = (person: PersonRow): PersonState => {
      const { number, properties } = person
      return { ...person, since: number, properties: JSON.parse(properties) }
    }
    return { ids, persons: persons.map(toState) }
  },
  async write({ newIds, moves, changed, warnings }) {
    if (newIds.length > 0) {
      const rows = newIds.map(({ projectId, distinctId, person }) => [
        projectId,
        distinctId,
        person,
      ])
      const given = await runner.given('new_ids', { ...ID, person: 'bigint' }, rows)
      await runner.run(sql`
        insert into person_ids (project_id, distinct_id, person)
        select project_id, distinct_id, person from ${given}`)
    }
    if (moves.length > 0) {
      const rows = moves.map(({ from, to }) => [from, to])
      const given = await runner.given('moves', { source: 'bigint', target: 'bigint' }, rows)
      // earlier events are updated immediately, so that queries need not resolve merges
      for (const table of ['person_ids', ...copies]) {
        await runner.run(
          sql`update ${sql.table(table)} set person = target from ${given} where person = source`,
        )
      }
      await runner.run(sql`delete from persons where number in (select source from ${given})`)
    }
    if (changed.length > 0) await updatePersons(runner, changed)
    await insertWarnings(runner, warnings)
  },
})

const CHANGED = {
  number: 'bigint',
  created_at: 'time',
  has_profile: 'boolean',
  is_identified: 'boolean',
  properties: 'json',
} as const

async function updatePersons(runner: SqlRunner, changed: readonly PersonState[]): Promise<void> {
  const rows = changed.map((person) => [
    person.number,
    person.createdAt,
    person.hasProfile,
    person.isIdentified,
    toPropertiesText(person.properties),
  ])
  await runner.run(sql`
    update persons set created_at = changed.created_at, has_profile = changed.has_profile,
      is_identified = changed.is_identified, properties = changed.properties
    from ${await runner.given('changed', CHANGED, rows)} where persons.number = changed.number`)
}

export async function insertWarnings(
  runner: SqlRunner,
  warnings: readonly IdentityWarning[],
): Promise<void> {
  if (warnings.length === 0) return
  const rows = warnings.map((each) => [each.projectId, each.distinctId, each.type, each.otherId])
  const given = await runner.given('warnings', { ...ID, type: 'text', other_id: 'text' }, rows)
  await runner.run(sql`
    insert into identity_warnings (project_id, type, distinct_id, other_id, created_at)
    select project_id, type, distinct_id, other_id, now() from ${given}`)
}
