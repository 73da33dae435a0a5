import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteQueryCompiler,
} from 'kysely'
import { OperatorError } from '../errors.ts'
import type { Schema } from './schema.ts'

export const SQLITE_FILE = 'hedgerow.db'
const BUSY_TIMEOUT_MS = 5000
const CACHED_STATEMENTS = 256

export interface SqliteConnection {
  readonly db: Kysely<Schema>
  /** Moves with every commit of this process (at once) and of others (when asked). */
  commitCount(): number
  pollExternalCommits(): void
  /** Tells which versions moved when that is committed; undefined: another process's commit, so any may have. */
  onVersionsChanged(listener: (moved: readonly string[] | undefined) => void): void
}

/** SQLite itself says what moved, so that no writer can forget to. */
const WATCH_VERSIONS = `
  create temp trigger access_moved after update on main.access_state
    begin select version_moved('access'); end;
  create temp trigger project_moved after update of version on main.projects
    begin select version_moved('project ' || new.id); end;
  create temp trigger project_made after insert on main.projects
    begin select version_moved('project ' || new.id); end;
  create temp trigger project_gone after delete on main.projects
    begin select version_moved('project ' || old.id); end;
  create temp trigger dashboard_moved after update of version on main.dashboards
    begin select version_moved('dashboard ' || new.project_id || '/' || new.id); end;
  create temp trigger dashboard_made after insert on main.dashboards
    begin select version_moved('dashboard ' || new.project_id || '/' || new.id); end;`

/** Opens the file in the data folder, making both if they are not there. */
export function connectSqlite(folder: string): SqliteConnection {
  const file = openFile(folder)
  let commits = 0
  let moved: string[] = []
  let tell = (_moved: readonly string[] | undefined) => {}
  let othersSeen = dataVersion(file)
  const onEnd = (committed: boolean) => {
    if (committed) commits++
    if (committed) tell(moved)
    moved = []
  }
  return {
    db: new Kysely<Schema>({ dialect: createDialect(file, onEnd) }),
    commitCount: () => commits,
    pollExternalCommits() {
      const version = dataVersion(file)
      if (version === othersSeen) return
      othersSeen = version
      commits++
      tell(undefined)
    },
    onVersionsChanged(listener) {
      tell = listener
      file.function('version_moved', (key) => {
        moved.push(String(key))
        return null
      })
      file.exec(WATCH_VERSIONS)
    },
  }
}

function openFile(folder: string): DatabaseSync {
  const path = join(folder, SQLITE_FILE)
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = new DatabaseSync(path, {
      timeout: BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
    })
    chmodSync(path, 0o600)
    file.exec('pragma journal_mode = wal; pragma synchronous = full')
    return file
  } catch (error) {
    if (isDamaged(error)) throw damagedDatabase(folder, error.message)
    throw new OperatorError(
      `Cannot use the data folder ${folder}: ${(error as Error).message}. Set HEDGEROW_DATA to a folder this user can write.`,
    )
  }
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

export const isDamaged = (error: unknown): error is Error =>
  [SQLITE_CORRUPT, SQLITE_NOTADB].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff)

export const damagedDatabase = (folder: string, found: string): OperatorError =>
  new OperatorError(
    `The database ${join(folder, SQLITE_FILE)} is damaged (${found}). Restore a backup; the file was left as it is.`,
  )

/** Other connections' commits move it, our own do not. */
const dataVersion = (file: DatabaseSync): unknown =>
  file.prepare('pragma data_version').get()?.data_version

function createDialect(file: DatabaseSync, onEnd: (committed: boolean) => void): SqliteDialect {
  const config = { database: withStatementCache(file) }
  return new (class extends SqliteDialect {
    override createDriver = () => new ImmediateSqliteDriver(config, onEnd)
    override createQueryCompiler = () => new NoReprepareCompiler()
  })(config)
}

/**
 * Takes the write lock when a transaction begins. Kysely's own `begin` takes it at the first write,
 * and then fails at once if another process wrote in between, whatever the busy timeout.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #onEnd: (committed: boolean) => void

  constructor(config: SqliteDialectConfig, onEnd: (committed: boolean) => void) {
    super(config)
    this.#onEnd = onEnd
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    this.#onEnd(true)
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection)
    this.#onEnd(false)
  }
}

/**
 * With a plain `?` SQLite 3.53 prepares a statement anew at every execution when the parameter stands in a
 * join or beside an `order by`: 52 us instead of 25 for a dashboard's tiles. A unary plus changes
 * nothing but that.
 */
class NoReprepareCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

/** Preparing takes two thirds of a point read, so each text is prepared once. */
function withStatementCache(file: DatabaseSync) {
  const statements = new Map<string, ReturnType<typeof toStatement>>()
  return {
    close: () => file.close(),
    prepare(text: string) {
      const known = statements.get(text)
      if (known) return known
      if (statements.size >= CACHED_STATEMENTS) statements.clear()
      const statement = toStatement(file.prepare(text))
      statements.set(text, statement)
      return statement
    },
  }
}

type Values = Parameters<StatementSync['all']>

function toStatement(statement: StatementSync) {
  return {
    reader: statement.columns().length > 0,
    all: (values: readonly unknown[]) => statement.all(...requireScalars(values)),
    run: (values: readonly unknown[]) => statement.run(...requireScalars(values)),
    iterate: (values: readonly unknown[]) => statement.iterate(...requireScalars(values)),
  }
}

/** node:sqlite takes an object for named parameters and binds NULL without a word. */
function requireScalars(values: readonly unknown[]): Values {
  for (const value of values) {
    if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
      throw new TypeError(
        `Cannot store a ${value.constructor?.name ?? 'object'}: convert it first.`,
      )
    }
  }
  return values as Values
}
