import { sql } from 'kysely'
import type { ActorSet } from '#server/analytics/queries/actors.ts'
import type { PageRange } from '#server/db/page-range.ts'
import { containsGroupText } from '#server/features/events/groups/store.ts'
import type { ActorRun } from './actor-store.ts'
import type { ListOrder } from './list-columns.ts'

/** A group behind a number, and how many of its events the number counts. */
export interface GroupActor {
  readonly index: number
  readonly key: string
  /** null for a group that only events name. */
  readonly createdAt: string | null
  /** A JSON object as text. */
  readonly properties: string
  readonly events: number
}

interface GroupSelection {
  readonly set: ActorSet
  /** The index of the type. */
  readonly index: number
  readonly search: string | undefined
  readonly orders: readonly ListOrder[]
}

/** Lists one page of groups, by default those with most events first, and whether there are more. */
export async function listGroupPage(
  { store, projectId, timeoutMs, signal }: ActorRun,
  { set: { toSql, toEvents: _, ...required }, index, search, orders }: GroupSelection,
  { limit, offset }: PageRange,
): Promise<{ readonly rows: readonly GroupActor[]; readonly hasMore: boolean }> {
  const rows = await store.query(projectId, {
    ...required,
    ...(timeoutMs && { timeoutMs }),
    signal,
    toSql(table) {
      const order = [
        ...(orders.length > 0 ? orders.map((toOrder) => toOrder(table)) : [sql`a.events desc`]),
        table.sortable(sql`a.person`),
      ]
      return sql`select a.person as key, a.events::double precision as events, g.properties::text as properties,
          (extract(epoch from g.created_at) * 1000)::double precision as created_at
        from (${toSql(table)}) a
        left join (select * from ${table.groups} g where g.type_index = ${sql.lit(index)}) g on g.key = a.person
        where ${search ? containsGroupText(table, sql`a.person`, search) : sql`true`}
        order by ${sql.join(order)} limit ${sql.lit(limit + 1)} offset ${sql.lit(offset)}`
    },
  })
  return {
    rows: rows.slice(0, limit).map(({ key, events, properties, created_at }) => ({
      index,
      key: key as string,
      events: events as number,
      properties: (properties as string | null) ?? '{}',
      createdAt:
        created_at === null ? null : new Date(Math.round(created_at as number)).toISOString(),
    })),
    hasMore: rows.length > limit,
  }
}
