import { close, fdatasync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'
import { type Checkpoints, createCheckpoints } from './checkpoints.ts'

interface Config extends SqliteDialectConfig {
  readonly file: DatabaseSync
  /** Called when a transaction is on disk, or rolled back. */
  readonly onEnd: (committed: boolean) => void
}

/** The statements that are flushed like a transaction. All others outside one keep `full`. */
const WRITES: ReadonlySet<string> = new Set([
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
])

/**
 * Runs writes without holding the event loop while the disk writes, which takes milliseconds, and up to a second beside
 * an import. SQLite commits with `synchronous = normal`, which only writes to its log (WAL); a thread then flushes
 * the log, as `full` would. Nobody sees the change earlier: until then, the write has not ended for Kysely, so other
 * statements wait, and cached versions stay.
 */
export class DurableSqliteDriver extends SqliteDriver {
  readonly #config: Config
  readonly #flushes: boolean
  readonly #checkpoints: Checkpoints | undefined
  #log: number | undefined
  #connection: DatabaseConnection | undefined
  #isInTransaction = false

  constructor(config: Config) {
    super(config)
    this.#config = config
    // a file system without shared memory has no log
    this.#flushes = config.file.prepare('pragma journal_mode').get()?.journal_mode === 'wal'
    if (this.#flushes) this.#checkpoints = createCheckpoints(config.file)
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#flushes) return super.acquireConnection()
    this.#connection ??= this.#toFlushing(await super.acquireConnection())
    return this.#connection
  }

  /** Flushes writes outside a transaction too. */
  #toFlushing(connection: DatabaseConnection): DatabaseConnection {
    const isWrite = ({ query }: CompiledQuery) => !this.#isInTransaction && WRITES.has(query.kind)
    return {
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
      executeQuery: async (query) => {
        const checkpoint = this.#checkpoints?.idle()
        if (checkpoint && query.query.kind !== 'SelectQueryNode') await checkpoint
        if (!isWrite(query)) return connection.executeQuery(query)
        const result = await this.#commit(() => connection.executeQuery(query))
        if (hasChanged(result)) await this.#flush()
        return result as QueryResult<never>
      },
    }
  }

  async #commit<T>(write: () => Promise<T>): Promise<T> {
    this.#config.file.exec('pragma synchronous = normal')
    try {
      return await write()
    } finally {
      this.#config.file.exec('pragma synchronous = full')
    }
  }

  /** Takes the write lock. Kysely's own `begin` takes it at the first write, and fails if another process wrote since. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#checkpoints?.idle()
    if (this.#flushes) this.#config.file.exec('pragma synchronous = normal')
    this.#isInTransaction = true
    try {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    } catch (error) {
      this.#end(false)
      throw error
    }
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
    await this.#checkpoints?.close()
    if (this.#log !== undefined) await promisify(close)(this.#log)
    await super.destroy()
  }

  async #flush(): Promise<void> {
    this.#log ??= openSync(`${this.#config.file.location()}-wal`, 'r+')
    await promisify(fdatasync)(this.#log)
    this.#checkpoints?.proceed()
  }

  #end(committed: boolean): void {
    this.#isInTransaction = false
    if (this.#flushes) this.#config.file.exec('pragma synchronous = full')
    this.#config.onEnd(committed)
  }
}

/** A write that changes no row leaves nothing to flush. */
const hasChanged = ({ rows, numAffectedRows = 0n }: QueryResult<unknown>): boolean =>
  rows.length > 0 || numAffectedRows > 0n
