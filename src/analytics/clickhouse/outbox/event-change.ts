import { type RawBuilder, sql } from 'kysely'
import type { EventsToDelete } from '#server/analytics/derive/derived-tables.ts'
import type { PropertyMatch } from '#server/analytics/event-store.ts'
import type { Sql } from '#server/analytics/event-table.ts'
import type { Tx } from '#server/db/schema.ts'

/** A change of stored events. It concerns those up to the number `upTo`, not events that come in later. */
export type EventChange = { readonly projectId: number; readonly upTo: number } & (
  | ({ readonly kind: 'delete' } & SelectedEvents)
  /** Gives the events of each ID another person. */
  | {
      readonly kind: 'assign'
      readonly ids: readonly string[]
      readonly persons: readonly number[]
    }
)

export interface SelectedEvents extends Pick<EventsToDelete, 'ids' | 'before'> {
  readonly property?: PropertyMatch | undefined
}

export type Deletion = Extract<EventChange, { kind: 'delete' }>
export type Assignment = Extract<EventChange, { kind: 'assign' }>

/** A change that waits in the outbox. */
export type WaitingChange = EventChange & { readonly id: number }

export async function recordChange(tx: Tx, { projectId, ...change }: EventChange): Promise<void> {
  await sql`
    insert into outbox_changes (project_id, change) values (${projectId}, ${JSON.stringify(change)})`.execute(
    tx,
  )
}

/** Selects the events of a change, in the dialect that `translate` reads. It is never NULL. */
export function toChangeCondition(change: EventChange): Sql {
  const { before, property } = change.kind === 'delete' ? change : {}
  const conditions: Sql[] = [
    sql`project_id = ${sql.lit(change.projectId)}`,
    sql`seq <= ${sql.lit(change.upTo)}`,
    ...(change.ids ? [toIdCondition(change.ids)] : []),
    ...(before === undefined ? [] : [sql`timestamp < ${before}::timestamptz`]),
    ...(property
      ? [
          sql`coalesce(property_text(properties, ${sql.lit(property.key)}) = ${property.value}, false)`,
        ]
      : []),
  ]
  return sql`(${sql.join(conditions, sql` and `)})`
}

const toIdCondition = (ids: readonly string[]): RawBuilder<unknown> =>
  ids.length === 0 ? sql`false` : sql`distinct_id in (${sql.join(ids)})`

/** Reads a person's number as it will be when assignments are applied. */
export const toAssignedPerson = (person: Sql, assignments: readonly Assignment[]): Sql =>
  assignments.reduce(
    (current, change) =>
      sql`case when ${toChangeCondition(change)} then ${toTarget(change)} else ${current} end`,
    person,
  )

const toTarget = ({ ids, persons }: Assignment): Sql => {
  const cases = ids.map((id, index) => sql`when ${id} then ${sql.lit(persons[index] ?? 0)}::bigint`)
  return sql`case distinct_id ${sql.join(cases, sql` `)} end`
}
