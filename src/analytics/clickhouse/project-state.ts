import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'
import type { MaterializedColumns } from '../postgres/materialized-columns.ts'
import type { Assignment, Deletion, WaitingChange } from './outbox/event-change.ts'

/** The state of a project's events that ClickHouse itself does not know. */
export interface ProjectState {
  /** Whether events or changes of persons wait for ClickHouse. */
  readonly isWaiting: boolean
  readonly deletions: readonly Deletion[]
  readonly assignments: readonly Assignment[]
  /** Whether some events have the number of a person that was merged. */
  readonly hasMoves: boolean
  readonly materialized: MaterializedColumns
}

interface Row {
  readonly is_waiting: boolean
  readonly has_moves: boolean
  readonly changes: readonly { readonly id: number; readonly change: string }[] | null
  readonly materialized: Readonly<Record<string, number>> | null
}

/** Reads it in one statement, because every query begins with it. */
export async function readProjectState(db: Db, projectId: number): Promise<ProjectState> {
  // persons wait until a rebuild has ended, so that queries see them as they were
  const { rows } = await sql<Row>`
    select exists (select from outbox_events where ${projectId}::bigint = any(projects))
        or exists (select from outbox_rows where project_id = ${projectId})
          and exists (select from event_store where persons_up_to is null) as is_waiting,
      exists (select from person_moves where project_id = ${projectId}) as has_moves,
      (select json_agg(json_build_object('id', id, 'change', change) order by id)
        from outbox_changes where project_id = ${projectId}) as changes,
      (select json_object_agg(key, position) from hot_properties where is_filled) as materialized`.execute(
    db,
  )
  const { is_waiting = false, has_moves = false, changes, materialized } = rows[0] ?? {}
  const waiting = (changes ?? []).map(({ id, change }) => toChange(id, projectId, change))
  return {
    isWaiting: is_waiting,
    deletions: waiting.filter((change) => change.kind === 'delete'),
    assignments: waiting.filter((change) => change.kind === 'assign'),
    hasMoves: has_moves,
    materialized: new Map(Object.entries(materialized ?? {})),
  }
}

export const toChange = (id: number, projectId: number, change: string): WaitingChange => ({
  ...JSON.parse(change),
  id,
  projectId,
})
