import { readConfig } from '../config.ts'
import { openStorage } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { OperatorError } from '../errors.ts'
import { findOrganization } from '../features/people/projects/store.ts'

/** Works while servers run on the same storage. */
export async function withStorage<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const storage = await openStorage(readConfig())
  try {
    if (!(await findOrganization(storage.db))) {
      throw new OperatorError(
        'The first start has not happened yet. Run `hedgerow serve` once, then this again.',
      )
    }
    return await work(storage.db)
  } finally {
    await storage.close()
  }
}
