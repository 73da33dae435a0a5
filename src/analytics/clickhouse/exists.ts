import type { ClickHouseSettings } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { OperatorError } from '#server/errors.ts'
import { connectToClickHouse, EventsUnavailableError } from './connection.ts'
import { hasStore, isKnown } from './open-tables.ts'
import { probe } from './probe.ts'

/** Tells whether ClickHouse has events, of this installation or of another. */
export async function exists(db: Db, settings: ClickHouseSettings): Promise<boolean> {
  if (await isKnown(db)) return true
  const clickHouse = connectToClickHouse(settings)
  try {
    await probe(clickHouse)
    return await hasStore(clickHouse)
  } catch (error) {
    throw error instanceof EventsUnavailableError ? new OperatorError(error.message) : error
  } finally {
    await clickHouse.close()
  }
}
