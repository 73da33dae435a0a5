import pg from 'pg'

/** A query that takes longer is checked through another connection. */
const SILENT_AFTER_MS = 3000
const CHECK_EVERY_MS = 1000
const RESPONSE_TIMEOUT_MS = 2500
/** The response may still be in transit when PostgreSQL reports that the query has ended. */
const LATE_RESPONSE_MS = 250

export interface ConnectionWatch {
  /** Call it with each new client of a pool. */
  add(client: pg.ClientBase): Promise<void>
  stop(): void
}

/** A connection, and the query that it waits for. */
interface Watched {
  /** The ID of PostgreSQL's backend process. undefined if a pooler hides it. */
  pid: number | undefined
  /** When the query began. undefined between queries. */
  since: number | undefined
  /** When PostgreSQL last reported that it is working on the query. */
  confirmedAt: number
  destroy(): void
}

/**
 * Destroys connections that have gone silent, as they do when a network or server fails without closing them. TCP alone
 * notices after minutes, and a timeout would also end slow queries. So a second connection checks whether PostgreSQL is
 * still working on the query; if not, or if it does not respond either, the first is destroyed within 10 s.
 */
export function createConnectionWatch(url: string): ConnectionWatch {
  const watched = new Set<Watched>()
  let isChecking = false

  async function check(): Promise<void> {
    const silent = [...watched].filter(isSilent)
    if (silent.length === 0) return
    const begun = new Map(silent.map((connection) => [connection, connection.since]))
    const works = await askForWork(url)
    await new Promise((resolve) => setTimeout(resolve, LATE_RESPONSE_MS))
    const same = silent.filter((connection) => connection.since === begun.get(connection))
    const { working = [], dead = [] } = Object.groupBy(same, ({ pid }) =>
      works(pid) ? 'working' : 'dead',
    )
    for (const connection of working) connection.confirmedAt = performance.now()
    if (dead.length === 0) return
    // connections between queries lead to the same server
    const idle = [...watched].filter(({ since }) => since === undefined)
    for (const connection of [...dead, ...idle]) connection.destroy()
  }

  const timer = setInterval(async () => {
    if (isChecking) return
    isChecking = true
    await check()
    isChecking = false
  }, CHECK_EVERY_MS).unref()

  return {
    async add(client) {
      client.on('error', () => {}) // the pool listens only between uses, and an error without a listener ends the process
      const connection = watch(client)
      watched.add(connection)
      client.once('end', () => watched.delete(connection))
      await identify(client, connection)
    },
    stop: () => clearInterval(timer),
  }
}

const isSilent = ({ since, confirmedAt }: Watched): boolean =>
  since !== undefined && performance.now() - Math.max(since, confirmedAt) > SILENT_AFTER_MS

/** Notes when each query of the client begins and ends. */
function watch(client: pg.ClientBase): Watched {
  const { connection, processID } = client as unknown as Internals
  const watched: Watched = {
    pid: processID,
    since: undefined,
    confirmedAt: 0,
    destroy: () => connection.stream.destroy(),
  }
  let waiting = 0
  const begin = () => {
    if (waiting === 0) watched.since = performance.now()
    waiting++
  }
  const end = () => {
    waiting--
    watched.since = waiting > 0 ? performance.now() : undefined
  }
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((...given: unknown[]) => {
    const result = query(...given)
    if (result instanceof Promise) {
      begin()
      result.then(end, end)
    }
    return result
  }) as typeof client.query
  return watched
}

/** Asks for the process ID, because a pooler reports one of its own when it connects. */
async function identify(client: pg.ClientBase, watched: Watched): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const { processID } = client as unknown as Internals
  if (rows[0]?.pid !== processID) watched.pid = undefined
}

interface Internals {
  readonly processID: number
  readonly connection: { readonly stream: { destroy(): void } }
}

/** Asks PostgreSQL, through a new connection, which backend processes are active. */
async function askForWork(url: string): Promise<(pid: number | undefined) => boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
    query_timeout: RESPONSE_TIMEOUT_MS,
    application_name: 'hedgerow watch',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where state = 'active'",
    )
    const active = new Set(rows.map(({ pid }) => pid))
    return (pid) => pid === undefined || active.has(pid)
  } catch (error) {
    const responds = (error as Partial<pg.DatabaseError>).severity !== undefined
    return () => responds
  } finally {
    ;(client as unknown as Internals).connection.stream.destroy()
  }
}
