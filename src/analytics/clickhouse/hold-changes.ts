import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '#server/db/schema.ts'
import { lockAllPersons } from '../postgres/locks.ts'
import type { ClickHouse } from './connection.ts'
import { lockOutbox, shipAll } from './outbox/shipping.ts'
import { copyEvents, dropCopy } from './snapshot.ts'

const PREFIX = 'events_copy_'

interface HeldChanges {
  /** The table that has the events as they are now. */
  readonly copy: string
  /** Lets changes continue. */
  release(): Promise<void>
}

/** Makes all changes of events wait, and copies the events as they are then. */
export async function holdChanges(db: Db, clickHouse: ClickHouse): Promise<HeldChanges> {
  const tx = await db.startTransaction().execute()
  let isHeld = true
  const release = async (): Promise<void> => {
    if (!isHeld) return
    isHeld = false
    await tx.rollback().execute()
  }
  const copy = `${PREFIX}${Date.now()}_${randomUUID().slice(0, 8)}`
  try {
    await lockAllPersons(tx as unknown as Tx)
    await lockOutbox(tx as unknown as Tx)
    await shipAll(db, clickHouse)
    await dropOldCopies(clickHouse)
    await copyEvents(clickHouse, copy)
    return { copy, release }
  } catch (error) {
    await release()
    await dropCopy(clickHouse, copy).catch(() => {})
    throw error
  }
}

/** No backup takes longer. */
const MAX_AGE_MS = 7 * 24 * 3_600_000

/** Drops the copies of backups that were killed. */
async function dropOldCopies(clickHouse: ClickHouse): Promise<void> {
  const tables = await clickHouse.read<{ name: string }>(
    `select name from system.tables where database = currentDatabase() and startsWith(name, '${PREFIX}')`,
  )
  for (const { name } of tables) {
    const madeAt = Number(name.slice(PREFIX.length).split('_')[0])
    if (madeAt < Date.now() - MAX_AGE_MS) await dropCopy(clickHouse, name)
  }
}
