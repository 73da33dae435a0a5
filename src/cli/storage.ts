import { readConfig } from '../config.ts'
import { openStorage } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { OperatorError } from '../errors.ts'
import { findOrganization } from '../features/accounts/projects/store.ts'

/** Opens the storage for a command, even while servers use it. */
export async function withStorage<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const storage = await openStorage(readConfig())
  try {
    if (!(await findOrganization(storage.db))) {
      throw new OperatorError('The storage is empty. Run `hedgerow serve` once, then try again.')
    }
    return await work(storage.db)
  } finally {
    await storage.close()
  }
}
