/** SQLite's primary result codes that are the operator's to mend. */
const SQLITE_PROBLEMS: Readonly<Record<number, string>> = {
  5: 'Another process has been writing to it for 5 seconds: try again',
  8: 'This user may not write to it',
  10: 'Check the disk that the data folder is on',
  13: 'Make room on the disk that the data folder is on',
  14: 'Check who may write to the data folder',
}

/** Connections, sign-in, no such database, no resources, shutting down, system; and no rights. */
const POSTGRES_PROBLEMS = /^(08|28|3D|53|57|58)[0-9A-Z]{3}$|^42501$/

/** The server's address answers nothing, or no longer. */
export const NETWORK_ERROR_CODES = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EPIPE)$/

/** What the operator can put right, in one line; undefined for our own mistakes. */
export function describeStorageProblem(error: unknown): string | undefined {
  const { code = '', errcode = 0, message } = error as Error & { code?: string; errcode?: number }
  if (code === 'ERR_SQLITE_ERROR') {
    const remedy = SQLITE_PROBLEMS[errcode & 0xff]
    return remedy && `The database failed: ${message}. ${remedy}.`
  }
  if (POSTGRES_PROBLEMS.test(code) || NETWORK_ERROR_CODES.test(code)) {
    return `PostgreSQL failed: ${message}. Check DATABASE_URL, the server, and the user's rights.`
  }
  return undefined
}

/** Another process has just written what a unique index allows once. */
export function isUniqueViolation(error: unknown): boolean {
  const { code = '', errcode = 0 } = error as { code?: string; errcode?: number }
  return code === '23505' || errcode === SQLITE_CONSTRAINT_UNIQUE
}

const SQLITE_CONSTRAINT_UNIQUE = 2067
