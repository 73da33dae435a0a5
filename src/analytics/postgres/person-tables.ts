import { sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'
import type { AskedId, PersonTables } from '../identity/apply-identity-events.ts'
import type {
  DistinctId,
  IdentityChanges,
  IdentityWarning,
  PersonState,
} from '../identity/identity.ts'
import { toPropertiesText } from '../properties-text.ts'

/**
 * Persons are derived from events in order of arrival. A person's number is that of the first event of one of its IDs,
 * which makes it unique across projects and the same after a rebuild.
 */
export const PERSON_TABLES = [
  `create table if not exists persons (
    project_id bigint not null,
    number bigint primary key,
    uuid uuid not null,
    created_at timestamptz not null,
    has_profile boolean not null,
    is_identified boolean not null,
    properties jsonb not null
  )`,
  'create index if not exists persons_by_uuid on persons (project_id, uuid)',
  'create index if not exists persons_by_creation on persons (project_id, created_at desc, number desc)',
  // few have none, so that a batch finds at once that its persons need no profile
  'create index if not exists persons_without_profile on persons (number) where not has_profile',
  `create table if not exists person_ids (
    project_id bigint not null,
    distinct_id text collate "C" not null,
    person bigint not null,
    primary key (project_id, distinct_id)
  )`,
  'create index if not exists person_ids_by_person on person_ids (person)',
  `create table if not exists identity_warnings (
    project_id bigint not null,
    type text not null,
    distinct_id text not null,
    other_id text,
    created_at timestamptz not null
  )`,
  'create index if not exists identity_warnings_by_time on identity_warnings (project_id, created_at)',
]

export const toPersonTables = (tx: Tx): PersonTables => ({
  find: (ids) => findPersons(tx, ids),
  write: (changes) => writeChanges(tx, changes),
})

interface PersonRow extends Omit<PersonState, 'createdAt' | 'since'> {
  readonly createdAt: Date
}

async function findPersons(tx: Tx, asked: readonly AskedId[]) {
  const { rows: ids } = await sql<DistinctId>`
    select project_id as "projectId", distinct_id as "distinctId", person
    from person_ids where (project_id, distinct_id) in (
      select * from unnest(
        ${asked.map(({ projectId }) => projectId)}::bigint[],
        ${asked.map(({ distinctId }) => distinctId)}::text[]
      )
    )`.execute(tx)
  const { rows: persons } = await sql<PersonRow>`
    select number, project_id as "projectId", created_at as "createdAt", is_identified as "isIdentified",
      has_profile as "hasProfile", properties
    from persons where number = any(${ids.map(({ person }) => person)}::bigint[])`.execute(tx)
  return {
    ids,
    persons: persons.map((person) => ({
      ...person,
      since: person.number,
      createdAt: person.createdAt.getTime(),
    })),
  }
}

async function writeChanges(
  tx: Tx,
  { newIds, moves, changed, warnings }: IdentityChanges,
): Promise<void> {
  if (newIds.length > 0) {
    await sql`
      insert into person_ids (project_id, distinct_id, person)
      select * from unnest(
        ${newIds.map(({ projectId }) => projectId)}::bigint[],
        ${newIds.map(({ distinctId }) => distinctId)}::text[],
        ${newIds.map(({ person }) => person)}::bigint[]
      )`.execute(tx)
  }
  if (moves.length > 0) await writeMoves(tx, moves)
  if (changed.length > 0) {
    await sql`
      update persons set created_at = changed.created_at, has_profile = changed.has_profile,
        is_identified = changed.is_identified, properties = changed.properties::jsonb
      from unnest(
        ${changed.map(({ number }) => number)}::bigint[],
        ${changed.map(({ createdAt }) => new Date(createdAt).toISOString())}::timestamptz[],
        ${changed.map(({ hasProfile }) => hasProfile)}::boolean[],
        ${changed.map(({ isIdentified }) => isIdentified)}::boolean[],
        ${changed.map(({ properties }) => toPropertiesText(properties))}::text[]
      ) as changed (number, created_at, has_profile, is_identified, properties)
      where persons.number = changed.number`.execute(tx)
  }
  await insertWarnings(tx, warnings)
}

export async function insertWarnings(tx: Tx, warnings: readonly IdentityWarning[]): Promise<void> {
  if (warnings.length === 0) return
  await sql`
    insert into identity_warnings (project_id, type, distinct_id, other_id, created_at)
    select *, now() from unnest(
      ${warnings.map(({ projectId }) => projectId)}::bigint[],
      ${warnings.map(({ type }) => type)}::text[],
      ${warnings.map(({ distinctId }) => distinctId)}::text[],
      ${warnings.map(({ otherId }) => otherId)}::text[]
    )`.execute(tx)
}

/** Updates earlier events immediately, so that queries need not resolve merges. */
async function writeMoves(tx: Tx, moves: IdentityChanges['moves']): Promise<void> {
  const sources = moves.map(({ from }) => from)
  const given = sql`unnest(${sources}::bigint[], ${moves.map(({ to }) => to)}::bigint[]) as moves (source, target)`
  await sql`update person_ids set person = target from ${given} where person = source`.execute(tx)
  await sql`update facts set person = target from ${given} where person = source`.execute(tx)
  await sql`delete from persons where number = any(${sources}::bigint[])`.execute(tx)
}
