import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'
import type { MaterializedColumns } from '../postgres/materialized-columns.ts'
import type { Assignment, Deletion, WaitingChange } from './outbox/event-change.ts'

/** The last of the events, and of the changes of persons, that wait for ClickHouse; 0 if none do. */
export interface WaitingUpTo {
  readonly events: number
  readonly rows: number
}

const ALL: WaitingUpTo = { events: Number.MAX_SAFE_INTEGER, rows: Number.MAX_SAFE_INTEGER }

/** The state of a project's events that ClickHouse itself does not know. */
export interface ProjectState {
  readonly waiting: WaitingUpTo
  readonly deletions: readonly Deletion[]
  readonly assignments: readonly Assignment[]
  /** Whether some events have the number of a person that was merged. */
  readonly hasMoves: boolean
  readonly materialized: MaterializedColumns
}

interface Row {
  readonly waiting_events: number
  readonly waiting_rows: number
  readonly has_moves: boolean
  readonly changes: readonly { readonly id: number; readonly change: string }[] | null
  readonly materialized: Readonly<Record<string, number>> | null
}

/**
 * Reads it in one statement, because every query begins with it. Looks only for what waits up to `upTo`, so that a query
 * can wait for what was there when it began.
 */
export async function readProjectState(
  db: Db,
  projectId: number,
  upTo = ALL,
): Promise<ProjectState> {
  // persons wait until a rebuild has ended, so that queries see them as they were
  const { rows } = await sql<Row>`
    select
      (select coalesce(max(id), 0) from outbox_events
        where ${projectId}::bigint = any(projects) and id <= ${upTo.events}) as waiting_events,
      (select coalesce(max(id), 0) from outbox_rows
        where project_id = ${projectId} and id <= ${upTo.rows}
          and exists (select from event_store where persons_up_to is null)) as waiting_rows,
      exists (select from person_moves where project_id = ${projectId}) as has_moves,
      (select json_agg(json_build_object('id', id, 'change', change) order by id)
        from outbox_changes where project_id = ${projectId}) as changes,
      (select json_object_agg(key, position) from hot_properties where is_filled) as materialized`.execute(
    db,
  )
  const {
    waiting_events = 0,
    waiting_rows = 0,
    has_moves = false,
    changes,
    materialized,
  } = rows[0] ?? {}
  const waiting = (changes ?? []).map(({ id, change }) => toChange(id, projectId, change))
  return {
    waiting: { events: waiting_events, rows: waiting_rows },
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
