import { close, fdatasync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import {
  CompiledQuery,
  type DatabaseConnection,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'

interface Config extends SqliteDialectConfig {
  readonly file: DatabaseSync
  /** Called when a transaction is on disk, or rolled back. */
  readonly onEnd: (committed: boolean) => void
}

/**
 * Runs transactions without holding the event loop while the disk writes, which takes milliseconds, and much longer
 * beside an import. SQLite commits with `synchronous = normal`, which only writes to its log (WAL); a thread then flushes
 * the log, as `full` would. Nobody sees the change earlier: until then, the transaction has not ended for Kysely, so other
 * statements wait, and cached versions stay. Statements outside a transaction keep `full`.
 */
export class DurableSqliteDriver extends SqliteDriver {
  readonly #config: Config
  readonly #flushes: boolean
  #log: number | undefined

  constructor(config: Config) {
    super(config)
    this.#config = config
    // a file system without shared memory has no log
    this.#flushes = config.file.prepare('pragma journal_mode').get()?.journal_mode === 'wal'
  }

  /** Takes the write lock. Kysely's own `begin` takes it at the first write, and fails if another process wrote since. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#flushes) this.#config.file.exec('pragma synchronous = normal')
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    try {
      if (this.#flushes) await this.#flush()
    } finally {
      this.#end(true)
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      // SQLite rolls back on its own when the disk is full; this error would hide that one
      if (!(error as Error).message.includes('no transaction is active')) throw error
    }
    this.#end(false)
  }

  override async destroy(): Promise<void> {
    if (this.#log !== undefined) await promisify(close)(this.#log)
    await super.destroy()
  }

  async #flush(): Promise<void> {
    this.#log ??= openSync(`${this.#config.file.location()}-wal`, 'r+')
    await promisify(fdatasync)(this.#log)
  }

  #end(committed: boolean): void {
    if (this.#flushes) this.#config.file.exec('pragma synchronous = full')
    this.#config.onEnd(committed)
  }
}
