import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
import type { Planned, PlanningLimits, PlanningTask } from './contract.ts'

const CHECK_EVERY_MS = 50

/** The entry point of the planning process. Exits when the IPC channel closes, that is, when the server ends. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

let connection: DuckDBConnection | undefined
let known: readonly string[] = []

process.on('message', async (task: PlanningTask & PlanningLimits) => {
  connection = await connect(task.tables)
  const end = watch(task)
  await connection
    .runAndReadAll(`explain ${task.statement}`, [...task.parameters] as DuckDBValue[])
    .catch(() => {}) // the server gets the same error when it runs the statement
  end()
  process.send?.('planned' satisfies Planned)
})

async function connect(tables: readonly string[]): Promise<DuckDBConnection> {
  if (connection && tables.join() === known.join()) return connection
  connection?.closeSync()
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const opened = await instance.connect()
  await opened.run("set TimeZone = 'UTC'")
  for (const statement of tables) await opened.run(statement)
  known = tables
  return opened
}

/** Reports that planning takes too much; the server then kills this process. Returns a function that ends the watch. */
function watch({ cpuMs, growth }: PlanningLimits): () => void {
  const cpu = process.cpuUsage()
  const before = process.memoryUsage.rss()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(cpu)
    const outcome: Planned | undefined =
      (user + system) / 1000 > cpuMs
        ? 'too much time'
        : process.memoryUsage.rss() - before > growth
          ? 'too much memory'
          : undefined
    if (!outcome) return
    clearInterval(timer)
    process.send?.(outcome)
  }, CHECK_EVERY_MS)
  return () => clearInterval(timer)
}
