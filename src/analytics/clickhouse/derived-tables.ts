import { sql } from 'kysely'
import { toPlainArray } from '#server/db/array-text.ts'
import type { Tx } from '#server/db/schema.ts'
import type { DerivedTables } from '../derive/derived-tables.ts'
import { toSqlTables } from '../derive/sql/derived-tables.ts'
import { toDerivedTables as toPostgresTables } from '../postgres/derived-tables.ts'
import { toRunner } from '../postgres/runner.ts'
import { takeNumbers } from '../postgres/sequence.ts'
import { DERIVED_TABLES } from '../project-tables.ts'
import type { ClickHouse } from './connection.ts'
import { readStep } from './derive-step.ts'
import { toLiteral } from './dialect/literals.ts'
import { toVisible } from './event-table.ts'
import {
  type Deletion,
  recordChange,
  type SelectedEvents,
  toChangeCondition,
} from './outbox/event-change.ts'
import { readProjectState } from './project-state.ts'
import { translateEventCondition } from './translate.ts'

interface Deps {
  readonly clickHouse: ClickHouse
  /** Resolves when ClickHouse has all events that came in. Deletions need it, because they count and list events. */
  drain(): Promise<void>
}

interface PreparedDeletion {
  readonly deletion: Deletion
  /** Selects its events in ClickHouse. */
  readonly which: string
}

/**
 * Keeps persons and groups in PostgreSQL, and notes what becomes of the events in ClickHouse. The caller holds the lock of
 * the persons that the transaction changes.
 */
export function toDerivedTables(tx: Tx, { clickHouse, drain }: Deps): DerivedTables {
  const tables = toPostgresTables(tx)
  const sqlTables = toSqlTables(toRunner(tx), [])

  /** Selects all events of a project except those that this transaction has deleted. */
  async function toCondition(projectId: number): Promise<string> {
    await drain()
    return translateEventCondition(toVisible(projectId, await readProjectState(tx, projectId)))
  }

  /** Prepares the deletion of all events so far that are selected. */
  async function prepareDeletion(
    projectId: number,
    selected: SelectedEvents,
  ): Promise<PreparedDeletion> {
    const upTo = await takeNumber(tx)
    const deletion: Deletion = { kind: 'delete', projectId, upTo, ...selected }
    const visible = await toCondition(projectId)
    const which = `${visible} and ${await translateEventCondition(toChangeCondition(deletion))}`
    return { deletion, which }
  }

  async function deleteEvents({ deletion, which }: PreparedDeletion): Promise<number> {
    const count = await deleteKeys(tx, clickHouse, deletion.projectId, which)
    if (count > 0) await recordChange(tx, deletion)
    return count
  }

  return {
    ...tables,
    ...sqlTables,
    async separateIds(separated) {
      await sqlTables.separateIds(separated)
      if ((await tables.findMark()) !== undefined) return // a rebuild assigns all events at its end
      const { projectId, ids } = separated
      const found = await sqlTables.persons.find(
        ids.map((distinctId) => ({ projectId, distinctId })),
      )
      const persons = new Map(found.ids.map(({ distinctId, person }) => [distinctId, person]))
      await recordChange(tx, {
        kind: 'assign',
        projectId,
        upTo: await takeNumber(tx),
        ids: [...persons.keys()],
        persons: [...persons.values()],
      })
    },
    deleteEvents: async ({ projectId, ...selected }) =>
      deleteEvents(await prepareDeletion(projectId, selected)),
    async deleteMatching(projectId, property) {
      const prepared = await prepareDeletion(projectId, { property })
      const rows = await clickHouse.read<{ id: string }>(
        `select distinct distinct_id as id from events where ${prepared.which}`,
      )
      return { deleted: await deleteEvents(prepared), ids: rows.map(({ id }) => id) }
    },
    async listUnused(projectId, ids) {
      const visible = await toCondition(projectId)
      const findUsed = async (some: readonly string[]): Promise<ReadonlySet<string>> => {
        if (some.length === 0) return new Set()
        const rows = await clickHouse.read<{ id: string }>(
          `select distinct distinct_id as id from events
            where ${visible} and distinct_id in (${some.map((id) => toLiteral(id, 'text')).join()})`,
        )
        return new Set(rows.map(({ id }) => id))
      }
      const used = await findUsed(ids)
      const unused = ids.filter((id) => !used.has(id))
      const others = await listIdsOfPersons(tx, projectId, unused)
      const alive = await findUsed(others.map(({ id }) => id))
      // an ID that was only merged has no events, and would keep a person who has none either
      const persons = Map.groupBy(others, ({ person }) => person)
      const gone = [...persons.values()].filter((ofPerson) =>
        ofPerson.every(({ id, isKept }) => unused.includes(id) || !(alive.has(id) || isKept)),
      )
      return [...new Set([...unused, ...gone.flat().map(({ id }) => id)])]
    },
    async deleteProject(projectId) {
      await sqlTables.deleteProject(projectId)
      await sql`delete from person_moves where project_id = ${projectId}`.execute(tx)
      await sql`delete from outbox_missed where project_id = ${projectId}`.execute(tx)
    },
    async restoreKept() {
      // not truncated: the rows are noted for ClickHouse
      for (const table of DERIVED_TABLES) {
        await sql.raw(`delete from ${table}`).execute(tx)
      }
      // types of groups stay, and those that were refused
      await sql`delete from identity_warnings where type <> 'group_type_limit_exceeded'`.execute(tx)
      for (const table of DERIVED_TABLES) {
        await sql.raw(`insert into ${table} select * from ${table}_base`).execute(tx)
      }
    },
    readStep: (after) => readStep(tx, clickHouse, after),
  }
}

/** Returns a number after those of all events so far. */
async function takeNumber(tx: Tx): Promise<number> {
  const { numbers } = await takeNumbers(tx, 1)
  return numbers[0] as number
}

/** Deletes the keys of events, or one could not be stored again. Returns the number of events. */
async function deleteKeys(
  tx: Tx,
  { stream }: ClickHouse,
  projectId: number,
  which: string,
): Promise<number> {
  let count = 0
  const statement = `select toString(uuid) as uuid from events where ${which}`
  for await (const rows of stream<{ uuid: string }>(statement)) {
    count += rows.length
    await sql`
      delete from event_keys where project_id = ${projectId}
        and uuid = any(${toPlainArray(rows.map(({ uuid }) => uuid))}::uuid[])`.execute(tx)
  }
  return count
}

interface OwnId {
  readonly id: string
  readonly person: number
  readonly isKept: boolean
}

/** Lists all IDs of the persons of some IDs, and whether a rebuild starts with them. */
async function listIdsOfPersons(
  tx: Tx,
  projectId: number,
  ids: readonly string[],
): Promise<readonly OwnId[]> {
  const { rows } = await sql<OwnId>`
    select own.distinct_id as id, own.person, base.distinct_id is not null as "isKept"
    from person_ids own left join person_ids_base base using (project_id, distinct_id)
    where own.project_id = ${projectId} and own.person in (
      select person from person_ids where project_id = ${projectId} and distinct_id = any(${ids}::text[])
    )`.execute(tx)
  return rows
}
