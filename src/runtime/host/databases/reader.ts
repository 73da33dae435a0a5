import { createKeyedMutex } from '#server/concurrency.ts'
import { isUnavailable } from '#server/db/storage-problem.ts'
import { EgressError } from '#server/egress/egress-error.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { CallFailure } from '../call-error.ts'

/** Databases of one kind per run. */
const MAX_CONNECTIONS = 3

export type Row = Readonly<Record<string, unknown>>

export interface QueriedRows {
  readonly rows: readonly Row[]
  /** The columns whose values are the text of JSON. */
  readonly jsonColumns: readonly string[]
}

/** Reads databases for apps, which have no network. Connections last as long as the run. */
export interface DatabaseReader {
  /** Takes `[url, text, parameters]` from the app, unchecked. */
  query(args: readonly unknown[]): Promise<QueriedRows>
  close(): Promise<void>
}

/** A connection to a database. After an error it is in an unknown state, and closed. */
export interface Connection {
  /** Runs one statement in a read-only transaction. */
  read(text: string, parameters: readonly unknown[]): Promise<QueriedRows>
  close(): Promise<void>
}

/** A kind of database. */
export interface Kind {
  /** Its name, for messages. */
  readonly name: string
  connect(url: string): Promise<Connection>
}

export function createDatabaseReader({ name, connect }: Kind): DatabaseReader {
  const connections = new Map<string, Promise<Connection>>()
  const oneQueryPerDatabase = createKeyedMutex<string>()

  function getConnection(url: string): Promise<Connection> {
    const existing = connections.get(url)
    if (existing) return existing
    if (connections.size >= MAX_CONNECTIONS) {
      throw new AppProblem(`A run can read from at most ${MAX_CONNECTIONS} databases.`)
    }
    const connection = connect(url)
    connections.set(url, connection)
    return connection
  }

  return {
    async query([url, text, parameters]) {
      if (typeof url !== 'string' || typeof text !== 'string' || !Array.isArray(parameters)) {
        throw new AppProblem('query expects a URL, a text and a list of parameters.')
      }
      return oneQueryPerDatabase(url, async () => {
        const connecting = getConnection(url)
        try {
          return await (await connecting).read(text, parameters)
        } catch (error) {
          // the next query opens another connection
          connections.delete(url)
          void connecting.then((connection) => connection.close()).catch(() => {})
          throw toAppProblem(name, error)
        }
      })
    },
    async close() {
      const all = [...connections.values()]
      connections.clear()
      await Promise.allSettled(all.map(async (connection) => (await connection).close()))
    },
  }
}

export const tooManyRows = ({
  maxQueryRows,
  maxQueryBytes,
}: {
  readonly maxQueryRows: number
  readonly maxQueryBytes: number
}): AppProblem =>
  new AppProblem(
    `The query returns more than ${maxQueryRows} rows or ${maxQueryBytes} bytes. Read them in parts, with a LIMIT.`,
  )

function toAppProblem(name: string, error: unknown): Error {
  if (error instanceof AppProblem || error instanceof EgressError) return error
  const { message, code } = error as NodeJS.ErrnoException
  const { isTemporary = isUnavailable(error) } = error as { isTemporary?: boolean }
  return new CallFailure('Error', `${name}: ${message || code}`, {
    code,
    isTemporary: code !== 'ENOTFOUND' && isTemporary,
  })
}
