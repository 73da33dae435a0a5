import { sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'

/** The number of events per sequence value, because the database returns one value at a time. */
export const NUMBERS_PER_BLOCK = 4096

/**
 * Takes numbers for events in their order of arrival; the caller holds the lock of their projects. Says too whether
 * persons are complete, or are being derived again.
 */
export async function takeNumbers(
  tx: Tx,
  count: number,
): Promise<{ numbers: number[]; areIdentified: boolean }> {
  const { rows } = await sql<{ block: number; up_to: number | null }>`
    select nextval('event_blocks') as block, (select persons_up_to from event_store) as up_to
    from generate_series(1, ${Math.ceil(count / NUMBERS_PER_BLOCK)}::integer)`.execute(tx)
  const blocks = rows.map(({ block }) => block * NUMBERS_PER_BLOCK)
  const numbers = Array.from(
    { length: count },
    (_, index) =>
      (blocks[Math.floor(index / NUMBERS_PER_BLOCK)] as number) + (index % NUMBERS_PER_BLOCK),
  )
  return { numbers, areIdentified: rows.every(({ up_to }) => up_to === null) }
}
