import type { Insertable } from 'kysely'
import type { Db, Schema, Tx } from '#server/db/schema.ts'

export type SnapshotPart = Omit<Insertable<Schema['link_snapshots']>, 'link_id'>

/** Replaces what a frozen link shows. No parts: it is frozen no more. */
export async function replaceSnapshot(
  tx: Tx,
  linkId: number,
  parts: readonly SnapshotPart[],
): Promise<void> {
  await tx.deleteFrom('link_snapshots').where('link_id', '=', linkId).execute()
  // one statement each, because a result may have megabytes
  for (const part of parts) {
    await tx
      .insertInto('link_snapshots')
      .values({ ...part, link_id: linkId })
      .execute()
  }
}

/** Finds the first part: the dashboard or insight without its tiles. */
export const findSnapshotHead = (db: Db, linkId: number) =>
  db
    .selectFrom('link_snapshots')
    .select('content')
    .where('link_id', '=', linkId)
    .where('position', '=', 0)
    .executeTakeFirstOrThrow()

/** Lists the tiles in their order. */
export const listSnapshotTiles = (db: Db, linkId: number) =>
  db
    .selectFrom('link_snapshots')
    .select(['content', 'results'])
    .where('link_id', '=', linkId)
    .where('position', '>', 0)
    .orderBy('position')
    .execute()
