import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { Sql } from '../event-table.ts'

/**
 * Writes values into the text, because a statement that binds them belongs to the main thread, which then also frees its
 * memory: after a join with temporary files, that took a second.
 */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(toLiteral(value))
  }
}

/** Writes NULL into the text, because a statement that is translated depends on whether a value is NULL. */
class NullCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value === null) this.append('null')
    else super.appendValue(value)
  }
}

/** Never executes: only compiles fragments. */
const createCompiler = (createQueryCompiler: () => PostgresQueryCompiler) =>
  new Kysely<object>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler,
    },
  })

/** Compiles to a text with `$1`, which is the same for all values. */
export const compiler = createCompiler(() => new PostgresQueryCompiler())

/** Compiles to a text with `$1`, which is the same for all values but NULL. */
export const nullCompiler = createCompiler(() => new NullCompiler())

const literalCompiler = createCompiler(() => new LiteralCompiler())

export const compileStatement = (statement: Sql): string => statement.compile(literalCompiler).sql

/** Writes a value with the type that DuckDB gives to it when it is bound. A text ends at NUL, which no event contains. */
function toLiteral(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${sanitizeText(value).replaceAll("'", "''")}'::varchar`
    case 'number':
      return toNumber(value)
    case 'boolean':
      return String(value)
    default:
      if (value === null) return 'null'
      throw new Error(`A statement cannot contain a value of type ${typeof value}.`)
  }
}

/** Writes larger integers as floating point numbers: no integer type holds them, and DuckDB refuses to bind them. */
function toNumber(value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 63) return `'${value}'::double`
  return `'${BigInt(value)}'::${value === (value | 0) ? 'integer' : 'bigint'}`
}
