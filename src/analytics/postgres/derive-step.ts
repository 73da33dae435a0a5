import { sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'
import type { Step } from '../derive/derived-tables.ts'
import { GROUP_EVENT } from '../groups/group-keys.ts'
import { type Arrival, changePersons } from './arrivals.ts'
import { changeGroups } from './change-groups.ts'
import { insertArrivedPersons } from './insert-persons.ts'

/** The events per transaction, so that an interrupted process can resume and several can share the work. */
export const STEP = 20_000

export interface Fact extends Omit<Arrival, 'groupTypes'> {
  readonly seq: number
  readonly event: string
}

/** The next events of a rebuild in the engine that has them. */
export interface FactStep {
  readonly mark: number
  readonly facts: readonly Fact[]
  /** Reads the properties of some of the events, by their numbers. */
  readProperties(facts: readonly Fact[]): Promise<ReadonlyMap<number, string>>
  /** The tables that have the number of each ID's person, as in `toPersonTables`. */
  readonly copies: readonly string[]
}

export async function readStep(tx: Tx, mark: number): Promise<Step> {
  const { rows: facts } = await sql<Fact>`
    select seq, project_id as "projectId", uuid, event, distinct_id as "distinctId",
      floor(extract(epoch from timestamp) * 1000)::bigint as timestamp,
      is_personless or seq <= coalesce(up_to, 0) as "isPersonless",
      may_change_person and seq > coalesce(up_to, 0) as "mayChangePerson",
      event = ${GROUP_EVENT} and seq > coalesce(up_to, 0) as "changesGroup"
    from facts left join person_bases using (project_id)
    where seq > ${mark} order by seq limit ${sql.lit(STEP)}`.execute(tx)
  return toStep(tx, {
    mark,
    facts,
    readProperties: (facts) => readProperties(tx, facts),
    copies: ['facts'],
  })
}

export function toStep(tx: Tx, step: FactStep): Step {
  const { mark, facts } = step
  const isLast = facts.length < STEP
  const last = facts.at(-1)?.seq ?? mark
  return {
    upTo: isLast ? Number.POSITIVE_INFINITY : last,
    last,
    count: facts.length,
    isLast,
    derive: ({ after, upTo }) =>
      derive(
        tx,
        facts.filter(({ seq }) => seq > after && seq <= upTo),
        step,
      ),
  }
}

async function derive(
  tx: Tx,
  facts: readonly Fact[],
  { readProperties, copies }: FactStep,
): Promise<void> {
  if (facts.length === 0) return
  const arrivals = facts.map((fact) => ({ ...fact, groupTypes: [] })) // types are known
  await insertArrivedPersons(
    tx,
    arrivals,
    facts.map(({ seq }) => seq),
  )
  const changes = arrivals.filter((fact) => fact.mayChangePerson || fact.changesGroup)
  const texts = await readProperties(changes)
  const numbered = changes.map((arrival) => {
    const { seq, event } = arrival
    return { arrival, seq, row: { event, properties: texts.get(seq) ?? '{}' } }
  })
  await changePersons(tx, numbered, copies)
  await changeGroups(tx, numbered)
}

async function readProperties(tx: Tx, facts: readonly Fact[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ seq: number; properties: string }>`
    select seq, properties::text as properties
    from unnest(
      ${facts.map(({ seq }) => seq)}::bigint[],
      ${facts.map(({ projectId }) => projectId)}::bigint[],
      ${facts.map(({ timestamp }) => new Date(timestamp).toISOString())}::timestamptz[],
      ${facts.map(({ uuid }) => uuid)}::uuid[]
    ) as given (seq, project_id, timestamp, uuid)
    join events using (project_id, timestamp, uuid)`.execute(tx)
  return new Map(rows.map(({ seq, properties }) => [seq, properties]))
}
