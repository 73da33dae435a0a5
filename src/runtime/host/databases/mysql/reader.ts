import { connect as connectSocket } from 'node:net'
import type { Egress } from '#server/egress/egress.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import type { Limits } from '#server/runtime/limits.ts'
import { type Connection, createDatabaseReader, type DatabaseReader } from '../reader.ts'
import { type Login, shakeHands } from './handshake.ts'
import { query } from './results.ts'
import { fillStatement, requireReading } from './statement.ts'
import { createWire, type Wire } from './wire.ts'

const CONNECT_MS = 10_000
/** A packet beyond the limit of a query's bytes cannot be part of a result. */
const MARGIN_BYTES = 64 * 1024

/** Reads MySQL and MariaDB, in a client of our own (docs/decisions/0018). */
export const createMysqlReader = (egress: Egress, limits: Limits): DatabaseReader =>
  createDatabaseReader({ name: 'MySQL', connect: (url) => connect(url, egress, limits) })

async function connect(text: string, egress: Egress, limits: Limits): Promise<Connection> {
  const { host, port, login } = parseUrl(text)
  const address = await egress.resolve(host)
  const socket = connectSocket({ host: address, port })
  socket.setNoDelay()
  const wire = createWire(socket, limits.maxQueryBytes + MARGIN_BYTES)
  const within = <T>(ms: number, work: () => Promise<T>) => endAfter(wire, ms, work)
  await within(Math.min(CONNECT_MS, limits.waitMs), async () => {
    const version = await shakeHands(wire, login)
    for (const statement of toSession(version, limits)) await query(wire, statement, limits)
  })
  return {
    read: (statement, parameters) =>
      within(limits.waitMs + 1000, async () => {
        requireReading(statement)
        const filled = fillStatement(statement, parameters)
        await query(wire, 'start transaction read only', limits)
        const queried = await query(wire, filled, limits)
        await query(wire, 'commit', limits)
        return queried
      }),
    async close() {
      wire.destroy()
    },
  }
}

/** Makes texts and times independent of the server's settings, and ends a statement that takes too long. */
const toSession = (version: string, { waitMs }: Limits): string[] => [
  `set names utf8mb4`,
  `set session sql_mode = '', time_zone = '+00:00'`,
  /mariadb/i.test(version)
    ? `set session max_statement_time = ${waitMs / 1000}`
    : `set session max_execution_time = ${waitMs}`,
]

/** Closes the connection of work that fails or takes too long: nothing else stops rows in transit. */
async function endAfter<T>(wire: Wire, ms: number, work: () => Promise<T>): Promise<T> {
  const timedOut = Object.assign(new Error(`no response within ${ms / 1000} seconds`), {
    code: 'ETIMEDOUT',
  })
  const timer = setTimeout(() => wire.destroy(timedOut), ms)
  try {
    return await work()
  } catch (error) {
    wire.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function parseUrl(text: string): { host: string; port: number; login: Login } {
  const url = /^(mysql|mariadb):\/\//.test(text) ? URL.parse(text) : null
  if (!url?.hostname) {
    throw new AppProblem('A connection URL looks like mysql://user:password@host/database.')
  }
  const host = decode(url.hostname.replace(/^\[|\]$/g, ''))
  const login = {
    user: decode(url.username) || 'root',
    password: decode(url.password),
    database: decode(url.pathname.slice(1)),
    ...toTls(url.searchParams, host),
  }
  return { host, port: Number(url.port || 3306), login }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AppProblem('The connection URL has a % that stands for nothing. Write it as %25.')
  }
}

/** Has the modes of MySQL, and those of PostgreSQL under their own names. No mode means no TLS. */
function toTls(parameters: URLSearchParams, servername: string): Pick<Login, 'tls'> {
  const mode = (parameters.get('ssl-mode') ?? parameters.get('sslmode') ?? 'disabled')
    .toLowerCase()
    .replaceAll('-', '_')
  if (['disabled', 'disable'].includes(mode)) return {}
  if (['required', 'require'].includes(mode)) {
    return { tls: { servername, rejectUnauthorized: false } }
  }
  if (['verify_identity', 'verify_full', 'verify_ca'].includes(mode)) {
    return { tls: { servername, rejectUnauthorized: true } }
  }
  throw new AppProblem(
    `The connection URL has the ssl-mode "${mode}". Use disabled, required or verify_identity.`,
  )
}
