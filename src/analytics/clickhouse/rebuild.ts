import { type RawBuilder, sql } from 'kysely'
import { toField } from '#server/db/copy-rows.ts'
import { readCursor } from '#server/db/read-cursor.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import * as derive from '../derive/catch-up.ts'
import type { OnProgress } from '../event-store.ts'
import { lockAllPersons } from '../postgres/locks.ts'
import { takeNumbers } from '../postgres/sequence.ts'
import type { ClickHouse } from './connection.ts'
import { toDerivedTables } from './derived-tables.ts'
import { recordChange } from './outbox/event-change.ts'

interface RebuildOptions {
  readonly db: Db
  readonly clickHouse: ClickHouse
  readonly onProgress: OnProgress
  /** Resolves when ClickHouse has all events that came in. */
  drain(): Promise<void>
}

/** Derives what a rebuild has left: see `catchUp`. */
export const catchUpPersons = (options: RebuildOptions): Promise<boolean> =>
  derive.catchUp(toCatchUp(options))

export const rebuildPersons = (options: RebuildOptions): Promise<void> =>
  derive.rebuildPersons(toCatchUp(options))

function toCatchUp({ db, clickHouse, onProgress, drain }: RebuildOptions): derive.CatchUp {
  let [done, total] = [0, 0]
  return {
    async prepare() {
      const { rows } = await sql`
        select 1 from event_store where persons_up_to is not null`.execute(db)
      if (rows.length === 0) return false
      await drain()
      const [count] = await clickHouse.read<{ count: number }>(
        'select toInt64(count()) as count from events',
      )
      total = count?.count ?? 0
      return true
    },
    change: (work) =>
      db.transaction().execute(async (tx) => {
        await lockAllPersons(tx)
        return work(toDerivedTables(tx, { clickHouse, drain }))
      }),
    onStep({ count }) {
      if (count === 0) return
      done = Math.min(done + count, total)
      onProgress(done, total)
    },
    complete: () => db.transaction().execute((tx) => complete(tx, clickHouse, drain)),
  }
}

/** Derives the events that came in meanwhile, and lets everybody see the new persons. */
async function complete(tx: Tx, clickHouse: ClickHouse, drain: () => Promise<void>): Promise<void> {
  await lockAllPersons(tx)
  await drain()
  const tables = toDerivedTables(tx, { clickHouse, drain })
  while ((await derive.deriveStep(tables))?.isLast === false);
  if ((await tables.findMark()) === undefined) return // another server was faster
  await assignPersons(tx, clickHouse)
  await sql`update event_store set persons_up_to = null`.execute(tx)
  await sql`update event_versions set version = version + 1`.execute(tx)
}

/** The IDs of one change, which is part of every query until it is applied. */
const MAX_IDS = 1000

interface Assigned {
  readonly project_id: number
  readonly distinct_id: string
  readonly person: number
}

/** Finds the events whose ID has another person than before, and has them changed. Usually there are none. */
async function assignPersons(tx: Tx, clickHouse: ClickHouse): Promise<void> {
  const { run, insert, stream, layout } = clickHouse
  const columns = ['project_id', 'distinct_id', 'person']
  await run(`drop table if exists rebuilt_ids ${layout.onCluster} sync`)
  await run(`create table rebuilt_ids ${layout.onCluster}
    (project_id Int64, distinct_id String, person Int64) engine = MergeTree order by (project_id, distinct_id)`)
  await insert('rebuilt_ids', columns, readIds(tx))
  const upTo = (await takeNumbers(tx, 1)).numbers[0] as number
  const changed: Assigned[] = []
  const statement = `
    select e.project_id as project_id, e.distinct_id as distinct_id, i.person as person
    from (select distinct project_id, distinct_id, person from events) e
    global join rebuilt_ids i on i.project_id = e.project_id and i.distinct_id = e.distinct_id
    where e.person <> i.person
    group by all`
  for await (const rows of stream<Assigned>(statement)) changed.push(...rows)
  for (const [projectId, ids] of Map.groupBy(changed, ({ project_id }) => project_id)) {
    for (const some of chunksOf(ids, MAX_IDS)) {
      await recordChange(tx, {
        kind: 'assign',
        projectId,
        upTo,
        ids: some.map(({ distinct_id }) => distinct_id),
        persons: some.map(({ person }) => person),
      })
    }
  }
  await run(`drop table rebuilt_ids ${layout.onCluster} sync`)
}

const IDS: RawBuilder<unknown> = sql`select project_id, distinct_id, person from person_ids`

async function* readIds(tx: Tx): AsyncGenerator<string> {
  for await (const rows of readCursor<Assigned>(tx, 'rebuilt_ids', IDS, 10_000)) {
    yield rows
      .map((row) => `${row.project_id}\t${toField(row.distinct_id)}\t${row.person}\n`)
      .join('')
  }
}
