import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'
import type { ClickHouse } from '../connection.ts'
import { toLiteral } from '../dialect/literals.ts'
import { toChange } from '../project-state.ts'
import { translateEventCondition } from '../translate.ts'
import { toChangeCondition, type WaitingChange } from './event-change.ts'

interface Row {
  readonly id: number
  readonly project_id: number
  readonly change: string
}

/** Lists the deletions and assignments that wait, in their order. */
export async function listChanges(db: Db): Promise<readonly WaitingChange[]> {
  const { rows } = await sql<Row>`
    select id, project_id, change from outbox_changes order by id limit 100`.execute(db)
  return rows.map(({ id, project_id, change }) => toChange(id, project_id, change))
}

/** Applies changes, which queries have respected so far, to the events in ClickHouse. It must have all that came in before. */
export async function applyChanges(
  db: Db,
  clickHouse: ClickHouse,
  changes: readonly WaitingChange[],
): Promise<void> {
  for (const change of changes) {
    await clickHouse.run(await toStatement(clickHouse, change))
    await sql`delete from outbox_changes where id = ${change.id}`.execute(db)
  }
}

async function toStatement({ layout }: ClickHouse, change: WaitingChange): Promise<string> {
  const { events, onCluster } = layout
  const which = await translateEventCondition(toChangeCondition(change))
  if (change.kind === 'delete') return `delete from ${events} ${onCluster} where ${which}`
  const ids = change.ids.map((id) => toLiteral(id, 'text')).join()
  const persons = change.persons.map((person) => toLiteral(person, 'integer')).join()
  return `alter table ${events} ${onCluster}
    update person = transform(distinct_id, [${ids}], [${persons}], person) where ${which}`
}
