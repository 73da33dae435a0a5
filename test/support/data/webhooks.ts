import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'

/** Inserts requests of config 1 without content. */
export async function insertRequests(
  db: Db,
  count: number,
  state: 'waiting' | 'done',
  received_at = now(),
): Promise<void> {
  const name = `${state} ${received_at}`
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    insert into webhook_requests
      (project_id, config_id, delivery, received_at, method, content_type, size, content)
    select 1, 1, ${sql.lit(name)} || n, ${sql.lit(received_at)}, 'POST', '', 0, '' from numbers
  `.execute(db)
  await sql`
    insert into webhook_states (id, config_id, state)
    select id, config_id, ${sql.lit(state)} from webhook_requests
    where delivery like ${sql.lit(`${name}%`)}
  `.execute(db)
}
