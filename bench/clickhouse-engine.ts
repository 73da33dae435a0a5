import { type ClickHouse, connectToClickHouse } from '#server/analytics/clickhouse/connection.ts'
import type { ClickHouseSettings } from '#server/db/open.ts'
import { createClickHouseDatabase, startEngine } from '../test/support/servers/clickhouse.ts'
import { cpuSecondsOf } from './processes.ts'

export interface Engine {
  readonly url: string
  readonly name: string
  /** False for chdb-wasm: one thread of WebAssembly with its data in memory tells nothing about ClickHouse's speed. */
  readonly isNative: boolean
  /** The process, if it was started here. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

/** Uses the server of `CLICKHOUSE_TEST_URL`, otherwise starts the installed engine. */
export async function openEngine(): Promise<Engine> {
  const url = process.env.CLICKHOUSE_TEST_URL
  if (url) return { url, name: 'a server', isNative: true, pid: undefined, stop: async () => {} }
  const engine = await startEngine()
  return { ...engine, isNative: engine.name === 'chdb' }
}

/** Runs `work` with a new database, which is dropped at the end. */
export async function withDatabase<T>(
  { url }: Engine,
  work: (settings: ClickHouseSettings) => Promise<T>,
): Promise<T> {
  const settings = { ...(await createClickHouseDatabase(url)), maxWaitingMb: 100_000 }
  try {
    return await work(settings)
  } finally {
    const clickHouse = connectToClickHouse(settings)
    await clickHouse.run(`drop database ${clickHouse.database} ${clickHouse.layout.onCluster}`)
    await clickHouse.close()
  }
}

/** Nothing listens there, as when ClickHouse is down. */
export const CUT_OFF = 'clickhouse://127.0.0.1:1/default'

/** Reads milliseconds that increase with the work of a store. */
export type Clock = () => Promise<number>

export interface Clocks {
  readonly unit: 'CPU time' | 'time'
  readonly ofEngine: Clock
  /** The embedded store runs in this process. */
  readonly ofProcess: Clock
}

/** Chooses clocks of CPU time, which other processes do not change, if the engine's can be read. */
export async function chooseClocks(engine: Engine, clickHouse: ClickHouse): Promise<Clocks> {
  const ofEngine = await findCpuClock(engine, clickHouse)
  const wall = async () => performance.now()
  return ofEngine
    ? { unit: 'CPU time', ofEngine, ofProcess: async () => readOwnCpu() }
    : { unit: 'time', ofEngine: wall, ofProcess: wall }
}

/** Milliseconds of CPU time of this process and its threads. */
export function readOwnCpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function findCpuClock({ pid }: Engine, clickHouse: ClickHouse): Promise<Clock | undefined> {
  if (pid !== undefined) {
    return Number.isNaN(cpuSecondsOf(pid)) ? undefined : async () => cpuSecondsOf(pid) * 1000
  }
  const read = () => readLoggedCpu(clickHouse)
  const isReadable = await read().then(
    () => true,
    () => false, // the server has no log of queries, or its user may not read it
  )
  return isReadable ? read : undefined
}

/** Adds up what the server's log of queries has of this database, without the query that reads it. */
async function readLoggedCpu({ run, read }: ClickHouse): Promise<number> {
  await run('system flush logs')
  const [row] = await read<{ ms: number }>(
    `select sum(ProfileEvents['UserTimeMicroseconds'] + ProfileEvents['SystemTimeMicroseconds']) / 1000 as ms
    from system.query_log where current_database = currentDatabase() and type = 'QueryFinish' and query_kind = 'Select'`,
    { log_queries: 0 },
  )
  return row?.ms ?? 0
}
