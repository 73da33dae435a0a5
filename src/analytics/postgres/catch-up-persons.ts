import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import * as derive from '../derive/catch-up.ts'
import type { DerivedTables } from '../derive/derived-tables.ts'
import type { OnProgress } from '../event-store.ts'
import { catchUpFacts } from './catch-up-facts.ts'
import { catchUpGroups } from './catch-up-groups.ts'
import { STEP } from './derive-step.ts'
import { toDerivedTables } from './derived-tables.ts'
import { lockAllPersons } from './locks.ts'

/** Derives what is missing: see `catchUp`. */
export const catchUpPersons = (db: Db, onProgress: OnProgress): Promise<boolean> =>
  derive.catchUp(toCatchUp(db, onProgress))

export const forgetPersons = (db: Db): Promise<void> => changeAll(db, derive.forgetPersons)

export const rebuildPersons = (db: Db, onProgress: OnProgress): Promise<void> =>
  derive.rebuildPersons(toCatchUp(db, onProgress))

const changeAll = <T>(db: Db, work: (tables: DerivedTables) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await lockAllPersons(tx)
    return work(toDerivedTables(tx))
  })

function toCatchUp(db: Db, onProgress: OnProgress): derive.CatchUp {
  let [done, total] = [0, 0]
  const onCount = (count: number) => {
    if (count === 0 || done === total) return // the last step may find nothing
    done = Math.min(done + count, total)
    onProgress(done, total)
  }
  return {
    async prepare() {
      const { rows: marks } = await sql<{ lacks_facts: boolean }>`
        select facts_up_to is not null as lacks_facts from event_store
        where persons_up_to is not null or facts_up_to is not null or not has_groups`.execute(db)
      if (marks.length === 0) return false
      const { rows: events } = await sql<{ count: number }>`
        select count(*) as count from events`.execute(db)
      total = events[0]?.count ?? 0
      await catchUpFacts(db, onCount)
      await catchUpGroups(db, (tx) => derive.forgetPersons(toDerivedTables(tx)))
      return marks[0]?.lacks_facts || (await isBehind(db))
    },
    change: (work) => changeAll(db, work),
    onStep: ({ count }) => onCount(count),
    complete: () => assignPersons(db),
  }
}

async function isBehind(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from event_store where persons_up_to is not null`.execute(db)
  return rows.length > 0
}

/** Updates the persons of facts that have changed, until none is left. */
async function assignPersons(db: Db): Promise<void> {
  for (let mark: number | null = 0; mark !== null; ) {
    const after: number = mark
    mark = await db.transaction().execute((tx) => assignStep(tx, after))
  }
}

/** Returns the number of the last fact, or null if all are done. */
async function assignStep(tx: Tx, after: number): Promise<number | null> {
  await lockAllPersons(tx)
  const tables = toDerivedTables(tx)
  while ((await derive.deriveStep(tables))?.isLast === false); // events that arrived meanwhile
  if ((await tables.findMark()) === undefined) return null // another server was faster
  const { rows } = await sql<{ last: number | null }>`
    with part as materialized (
      select seq, timestamp, ids.person
      from (select * from facts where seq > ${after} order by seq limit ${sql.lit(STEP)}) facts
      join person_ids ids using (project_id, distinct_id)
    ), assigned as (
      update facts set person = part.person from part
      where facts.seq = part.seq and facts.timestamp = part.timestamp and facts.person <> part.person
    )
    select max(seq) as last from part`.execute(tx)
  const last = rows[0]?.last ?? null
  if (last !== null) return last
  await sql`update event_store set persons_up_to = null`.execute(tx)
  await sql`update event_versions set version = version + 1`.execute(tx)
  await sql`drop index if exists facts_by_seq`.execute(tx)
  return null
}
