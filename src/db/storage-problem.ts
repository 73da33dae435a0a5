import { OperatorError } from '../errors.ts'

/** SQLite's primary result codes that the operator can fix. */
const SQLITE_REMEDIES: Readonly<Record<number, string>> = {
  5: 'Another process has been writing to it for 5 seconds. Try again',
  8: 'This user may not write to it',
  10: 'Check the disk that the data folder is on',
  13: 'Make room on the disk that the data folder is on',
  14: 'Check the permissions of the data folder',
}

/** Connection, sign-in, missing database, resources, shutdown, system and permission errors. */
const POSTGRES_ERROR_CODES = /^(08|28|3D|53|57|58)[0-9A-Z]{3}$|^42501$/

/** Errors of a server that does not respond. */
const NETWORK_ERROR_CODES =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE)$/

/** Problems of files that the operator can fix, by the system's error codes. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Make room on it, and run the command again',
  EDQUOT: 'The disk quota is used up. Make room, and run the command again',
  EFBIG: 'A file would become larger than its limit. Check `ulimit -f` and the file system',
  EROFS: 'The file system is read-only. Choose another place',
  EACCES: 'This user has no access to it. Check the permissions',
  EISDIR: 'It is a folder. Name a file',
  ENOTDIR: 'A part of the path is not a folder. Check the path',
  ENAMETOOLONG: 'The path is too long. Choose a shorter one',
  EIO: 'The disk fails. Check it',
}

/** Finds the system's error code in the messages of DuckDB, whose errors have none. */
const FILE_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/No space left on device/, 'ENOSPC'],
  [/Disk quota exceeded/, 'EDQUOT'],
  [/File too large/, 'EFBIG'],
]

function describeFileProblem(code: string, message: string, path: string | undefined) {
  const known = FILE_PROBLEMS[code] ? code : FILE_MESSAGES.find(([text]) => text.test(message))?.[1]
  if (known === undefined) return undefined
  return `${path === undefined ? '' : `${path}: `}${FILE_PROBLEMS[known]}.`
}

/** Names the cause. A refused connection to a name with two addresses is an AggregateError without a message. */
export const toReason = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map(({ message }: Error) => message).join(', ')
    : (error as Error).message

/** Describes an error that the operator can fix, in one line. Returns undefined for bugs. */
export function describeStorageProblem(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message
  const { code = '', errcode = 0, message, path, server } = error as StorageError
  if (code === 'ERR_SQLITE_ERROR') {
    const remedy = SQLITE_REMEDIES[errcode & 0xff]
    return remedy && `The database failed: ${message}. ${remedy}.`
  }
  if (server !== undefined && NETWORK_ERROR_CODES.test(code)) {
    return `${server} cannot be reached: ${toReason(error)}. Check EVENTS_URL and that the server is up.`
  }
  if (POSTGRES_ERROR_CODES.test(code) || NETWORK_ERROR_CODES.test(code)) {
    return `PostgreSQL failed: ${toReason(error)}. Check DATABASE_URL, the server, and the user's rights.`
  }
  return describeFileProblem(code, message, path)
}

type StorageError = NetworkError & { errcode?: number; path?: string }

/** The network errors of Node do not say whose they are. Those without a name are PostgreSQL's. */
export interface NetworkError extends Error {
  readonly code?: string
  readonly server?: 'ClickHouse'
}

/** PostgreSQL is down, restarting or out of connections, or has ended a query of a standby. */
const UNAVAILABLE_CODES = /^(08[0-9A-Z]{3}|57P0[1235]|53300|40001)$/

/** Tells whether a database, its server or the network does not respond just now, so that a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  const { code = '', message } = error as Error & { code?: string }
  return (
    UNAVAILABLE_CODES.test(code) ||
    NETWORK_ERROR_CODES.test(code) ||
    /database is locked|timeout exceeded when trying to connect|timeout expired|Connection terminated|not queryable/.test(
      message,
    )
  )
}

/** Describes a database that does not respond to users. Returns undefined for anything else. */
export function describeOutage(error: unknown): string | undefined {
  if (!isUnavailable(error)) return undefined
  return `${(error as NetworkError).server ?? 'The database'} was unavailable.`
}

const SQLITE_IO_ERROR = 10
const SQLITE_FULL = 13
const POSTGRES_DISK_FULL = '53100'

/** Describes a full or failing disk to clients. Returns undefined for anything else. */
export function describeDiskProblem(error: unknown): string | undefined {
  const { code = '', errcode = 0 } = error as { code?: string; errcode?: number }
  const isSqlite = code === 'ERR_SQLITE_ERROR'
  if (code === POSTGRES_DISK_FULL || (isSqlite && (errcode & 0xff) === SQLITE_FULL)) {
    return 'The disk is full, so that nothing can be stored. Make room on it.'
  }
  return isSqlite && (errcode & 0xff) === SQLITE_IO_ERROR
    ? 'The disk fails, so that nothing can be stored. Check it, and whether it is full.'
    : undefined
}

/** Detects a row that another process has just inserted under the same unique key. */
export function isUniqueViolation(error: unknown): boolean {
  const { code = '', errcode = 0 } = error as { code?: string; errcode?: number }
  return code === '23505' || errcode === SQLITE_CONSTRAINT_UNIQUE
}

const SQLITE_CONSTRAINT_UNIQUE = 2067
