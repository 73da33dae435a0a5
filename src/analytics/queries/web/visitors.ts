import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import type { FieldName } from '#server/analytics/sessions/select-sessions.ts'
import type { ActorSet } from '../actors.ts'
import type { TimeRange } from '../dates.ts'
import { requireVisits, selectVisits, type Visits } from './visits.ts'

interface VisitCondition {
  readonly fields: readonly FieldName[]
  isMet(table: EventTable): Sql
}

/** Selects the persons of visits that meet a condition, and how many pages they viewed. */
export const selectVisitors = (
  visits: Visits,
  range: TimeRange,
  { fields, isMet }: VisitCondition = { fields: [], isMet: () => sql`true` },
): ActorSet => ({
  ...requireVisits(visits, fields),
  toSql: (table) => sql`select s.visitor as person, sum(s.hits)::bigint as events
    from (${selectVisits(table, visits, range, fields)}) s where ${isMet(table)} group by s.visitor`,
})
