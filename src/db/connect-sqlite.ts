import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect, SqliteQueryCompiler } from 'kysely'
import { OperatorError } from '../errors.ts'
import { openDataFolder, requireNoUnfinishedRestore } from './data-folder.ts'
import type { Schema } from './schema.ts'
import { DurableSqliteDriver } from './sqlite-driver.ts'

export const SQLITE_FILE = 'hedgerow.db'
const BUSY_TIMEOUT_MS = 5000
const MAX_CACHED_STATEMENTS = 256

export interface SqliteConnection {
  readonly db: Kysely<Schema>
  /** Counts the commits of this process, and those of others as of the last poll. */
  commitCount(): number
  pollExternalCommits(): void
  /** Reports the versions that a commit changed, or undefined after another process's commit, which may change any. */
  onVersionsChanged(listener: (changed: readonly string[] | undefined) => void): void
}

/** Triggers report the changes, so that no writer can forget to. */
const VERSION_TRIGGERS = `
  create temp trigger access_updated after update on main.access_state
    begin select version_changed('access'); end;
  create temp trigger project_updated after update of version on main.projects
    begin select version_changed('project ' || new.id); end;
  create temp trigger project_inserted after insert on main.projects
    begin select version_changed('project ' || new.id); end;
  create temp trigger project_deleted after delete on main.projects
    begin select version_changed('project ' || old.id); end;
  create temp trigger dashboard_updated after update of version on main.dashboards
    begin select version_changed('dashboard ' || new.project_id || '/' || new.id); end;
  create temp trigger dashboard_inserted after insert on main.dashboards
    begin select version_changed('dashboard ' || new.project_id || '/' || new.id); end;`

/** Opens the database in the data folder and creates both if they are missing. */
export function connectSqlite(folder: string): SqliteConnection {
  const file = openFile(folder)
  let commits = 0
  let changed: string[] = []
  let notify = (_changed: readonly string[] | undefined) => {}
  let lastDataVersion = readDataVersion(file)
  const onEnd = (committed: boolean) => {
    if (committed) commits++
    if (committed) notify(changed)
    changed = []
  }
  return {
    db: new Kysely<Schema>({ dialect: createDialect(file, onEnd) }),
    commitCount: () => commits,
    pollExternalCommits() {
      const version = readDataVersion(file)
      if (version === lastDataVersion) return
      lastDataVersion = version
      commits++
      notify(undefined)
    },
    onVersionsChanged(listener) {
      notify = listener
      file.function('version_changed', (key) => {
        changed.push(String(key))
        return null
      })
      file.exec(VERSION_TRIGGERS)
    },
  }
}

function openFile(folder: string): DatabaseSync {
  const path = join(folder, SQLITE_FILE)
  try {
    openDataFolder(folder)
    requireNoUnfinishedRestore(folder)
    const file = new DatabaseSync(path, {
      timeout: BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
    })
    file.exec('pragma journal_mode = wal; pragma synchronous = full')
    return file
  } catch (error) {
    if (error instanceof OperatorError) throw error
    if (isDamaged(error)) throw damagedDatabase(folder, error.message)
    throw unusableFolder(folder, error as Error)
  }
}

export const unusableFolder = (folder: string, { message }: Error): OperatorError =>
  new OperatorError(
    `Cannot use the data folder ${folder}: ${message}. Set HEDGEROW_DATA to a folder this user can write.`,
  )

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

export const isDamaged = (error: unknown): error is Error =>
  [SQLITE_CORRUPT, SQLITE_NOTADB].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff)

/** The file must be restored from a backup. */
export class DamagedDatabaseError extends OperatorError {}

export const damagedDatabase = (folder: string, problem: string): DamagedDatabaseError =>
  new DamagedDatabaseError(
    `The database ${join(folder, SQLITE_FILE)} is damaged (${problem}). Restore a backup; the file was not changed.`,
  )

/** Changes with the commits of other connections, but not with our own. */
const readDataVersion = (file: DatabaseSync): unknown =>
  file.prepare('pragma data_version').get()?.data_version

function createDialect(file: DatabaseSync, onEnd: (committed: boolean) => void): SqliteDialect {
  const config = { database: withStatementCache(file), file, onEnd }
  return new (class extends SqliteDialect {
    override createDriver = () => new DurableSqliteDriver(config)
    override createQueryCompiler = () => new NoReprepareCompiler()
  })(config)
}

/**
 * Writes `+?` instead of `?`. With a plain `?`, SQLite 3.53 prepares a statement again at every execution if the parameter
 * is in a join or beside an `order by`: 52 us instead of 25 for a dashboard's tiles. A unary plus changes only that.
 */
class NoReprepareCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

/** Prepares each statement once, because preparing takes two thirds of a point read. */
function withStatementCache(file: DatabaseSync) {
  const statements = new Map<string, ReturnType<typeof toStatement>>()
  return {
    close: () => file.close(),
    prepare(text: string) {
      const existing = statements.get(text)
      if (existing) return existing
      // a change of the schema may change the columns of a statement
      const changesSchema = /^\s*(create|alter|drop)\b/i.test(text)
      if (changesSchema || statements.size >= MAX_CACHED_STATEMENTS) statements.clear()
      const statement = toStatement(file.prepare(text))
      statements.set(text, statement)
      return statement
    },
  }
}

type Values = Parameters<StatementSync['all']>

function toStatement(statement: StatementSync) {
  const columns = statement.columns().map(({ name }) => name)
  const toRow = findRowMaker(columns)
  statement.setReturnArrays(true)
  return {
    reader: columns.length > 0,
    all: (values: readonly unknown[]) =>
      toLists(statement.all(...requireScalars(values))).map(toRow),
    run: (values: readonly unknown[]) => statement.run(...requireScalars(values)),
    *iterate(values: readonly unknown[]) {
      for (const row of statement.iterate(...requireScalars(values))) yield toRow(row as never)
    },
  }
}

type MakeRow = (values: readonly unknown[]) => Record<string, unknown>

/** The types do not know that rows are lists after `setReturnArrays`. */
const toLists = (rows: unknown[]) => rows as (readonly unknown[])[]

const rowMakers = new Map<string, MakeRow>()

/**
 * Finds the function that makes a row with these columns of its values. It is code of its own, because V8 then gives all rows one hidden
 * class. The objects of node:sqlite have none: reading 100 dashboards and their columns takes 510 us with them, and 280
 * with these.
 */
function findRowMaker(columns: readonly string[]): MakeRow {
  const key = columns.join('\0')
  const known = rowMakers.get(key)
  if (known) return known
  if (rowMakers.size >= MAX_CACHED_STATEMENTS) rowMakers.clear()
  const fields = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  const maker = new Function('values', `return { ${fields.join(', ')} }`) as MakeRow
  rowMakers.set(key, maker)
  return maker
}

/** Refuses objects, which node:sqlite takes for named parameters and silently binds as NULL. */
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
