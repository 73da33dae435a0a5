import { CompiledQuery } from 'kysely'
import { type Batcher, createBatcher } from '../concurrency.ts'
import type { Db, Tx } from './schema.ts'

type Write = (tx: Tx) => Promise<unknown>

const MAX_WRITES_PER_COMMIT = 64

const batchers = new WeakMap<object, Batcher<Write, unknown>>()

/**
 * Commits writes that wait at the same moment together, because waiting for the disk at each commit is most of the cost
 * of a small write on SQLite. Each write runs in its own savepoint, so a failure rolls back only that write, and
 * resolves only after the commit. See docs/decisions/0005.
 */
export function commitInGroup<T>(db: Db, write: (tx: Tx) => Promise<T>): Promise<T> {
  return getBatcher(db).add(write) as Promise<T>
}

/** Returns the batcher of the connection, which is the same for every `Db` derived from it. */
function getBatcher(db: Db): Batcher<Write, unknown> {
  const { adapter } = db.getExecutor()
  const existing = batchers.get(adapter)
  if (existing) return existing
  const batcher = createBatcher<Write, unknown>({
    countNext: () => MAX_WRITES_PER_COMMIT,
    run: (writes) => db.transaction().execute((tx) => runAll(tx, writes)),
  })
  batchers.set(adapter, batcher)
  return batcher
}

async function runAll(
  tx: Tx,
  writes: readonly Write[],
): Promise<readonly PromiseSettledResult<unknown>[]> {
  const [only] = writes
  if (only && writes.length === 1) {
    // needs no savepoint: a failure rolls back the transaction
    return [{ status: 'fulfilled', value: await only(tx) }]
  }
  const results: PromiseSettledResult<unknown>[] = []
  for (const write of writes) results.push(await runInSavepoint(tx, write))
  return results
}

async function runInSavepoint(tx: Tx, write: Write): Promise<PromiseSettledResult<unknown>> {
  await tx.executeQuery(SAVEPOINT)
  try {
    const value = await write(tx)
    await tx.executeQuery(RELEASE)
    return { status: 'fulfilled', value }
  } catch (reason) {
    try {
      await tx.executeQuery(ROLLBACK)
      await tx.executeQuery(RELEASE)
    } catch {
      throw reason // why the whole transaction is gone
    }
    return { status: 'rejected', reason }
  }
}

const SAVEPOINT = CompiledQuery.raw('savepoint one_of_many')
const RELEASE = CompiledQuery.raw('release one_of_many')
const ROLLBACK = CompiledQuery.raw('rollback to one_of_many')
