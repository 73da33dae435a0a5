import { CompiledQuery } from 'kysely'
import type { Db, Tx } from './schema.ts'

interface Waiting {
  readonly work: (tx: Tx) => Promise<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

const MOST_AT_ONCE = 64

const queues = new WeakMap<object, Waiting[]>()

/**
 * SQLite waits for the disk at every commit, and that is most of what a small write costs. Writes that wait at the
 * same moment share one commit: each in a savepoint of its own, so that one that fails undoes only itself, and each
 * answered only after the commit. See docs/decisions/0005.
 */
export function writeTogether<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const queue = queueOf(db)
  return new Promise<T>((resolve, reject) => {
    queue.push({ work, resolve, reject })
    // after this turn of the event loop: requests that arrived together are then all waiting
    if (queue.length === 1) setImmediate(() => void writeAll(db, queue))
  })
}

function queueOf(db: Db): Waiting[] {
  const { adapter } = db.getExecutor()
  const queue = queues.get(adapter) ?? []
  queues.set(adapter, queue)
  return queue
}

async function writeAll(db: Db, queue: Waiting[]): Promise<void> {
  const batch = queue.splice(0, MOST_AT_ONCE)
  if (queue.length > 0) setImmediate(() => void writeAll(db, queue))
  try {
    const settle = await db.transaction().execute((tx) => runAll(tx, batch))
    for (const outcome of settle) outcome()
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/** How to answer each, to be called once all is committed. */
async function runAll(tx: Tx, batch: readonly Waiting[]): Promise<(() => void)[]> {
  const [only] = batch
  if (only && batch.length === 1) {
    const value = await only.work(tx) // its failure is the transaction's
    return [() => only.resolve(value as never)]
  }
  const outcomes: (() => void)[] = []
  for (const waiting of batch) outcomes.push(await runInSavepoint(tx, waiting))
  return outcomes
}

async function runInSavepoint(tx: Tx, { work, resolve, reject }: Waiting): Promise<() => void> {
  await tx.executeQuery(SAVEPOINT)
  try {
    const value = await work(tx)
    await tx.executeQuery(RELEASE)
    return () => resolve(value as never)
  } catch (error) {
    await tx.executeQuery(ROLLBACK)
    await tx.executeQuery(RELEASE)
    return () => reject(error)
  }
}

const SAVEPOINT = CompiledQuery.raw('savepoint one_of_many')
const RELEASE = CompiledQuery.raw('release one_of_many')
const ROLLBACK = CompiledQuery.raw('rollback to one_of_many')
