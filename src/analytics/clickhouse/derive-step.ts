import { sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'
import type { Step } from '../derive/derived-tables.ts'
import { GROUP_EVENT } from '../groups/group-keys.ts'
import { type Fact, STEP, toStep } from '../postgres/derive-step.ts'
import type { ClickHouse } from './connection.ts'
import { toLiteral } from './dialect/literals.ts'

/** Reads the next events of all projects from ClickHouse, in their order of arrival. */
export async function readStep(tx: Tx, { read }: ClickHouse, mark: number): Promise<Step> {
  const { rows: bases } = await sql<{ project_id: number; up_to: number }>`
    select project_id, up_to from person_bases`.execute(tx)
  const upTo = new Map(bases.map(({ project_id, up_to }) => [project_id, up_to]))
  const rows = await read<Omit<Fact, 'changesGroup'>>(`
    select seq, project_id as projectId, toString(uuid) as uuid, event, distinct_id as distinctId, timestamp,
      is_personless as isPersonless, may_change_person as mayChangePerson
    from events where seq > ${mark} order by seq limit ${STEP}`)
  const facts = rows.map((row): Fact => {
    const isKept = row.seq <= (upTo.get(row.projectId) ?? 0)
    return {
      ...row,
      isPersonless: row.isPersonless || isKept,
      mayChangePerson: row.mayChangePerson && !isKept,
      changesGroup: row.event === GROUP_EVENT && !isKept,
    }
  })
  return toStep(tx, {
    mark,
    facts,
    copies: [],
    readProperties: (some) => readProperties(read, some),
  })
}

async function readProperties(
  read: ClickHouse['read'],
  facts: readonly Fact[],
): Promise<Map<number, string>> {
  if (facts.length === 0) return new Map()
  const projects = [...new Set(facts.map(({ projectId }) => projectId))]
  const times = [...new Set(facts.map(({ timestamp }) => timestamp))]
  const rows = await read<{ seq: number; properties: string }>(`
    select seq, properties from events
    where project_id in (${projects}) and timestamp in (${times.map((time) => toLiteral(time, 'integer'))})
      and seq in (${facts.map(({ seq }) => seq)})`)
  return new Map(rows.map(({ seq, properties }) => [seq, properties]))
}
