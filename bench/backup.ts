import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { EVENTS_FILE } from '#server/analytics/duckdb/file.ts'
import { SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import { memoryOf, type Running, startHedgerow } from './processes.ts'
import { makeEvents } from './query-data.ts'
import type { Result } from './report.ts'
import { seed } from './seed.ts'

const EVENTS = 10_000_000
const MAX_GROWTH_MB = 200
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Measures the time of a backup beside a running server, and the memory that it takes in both processes. */
export async function measureBackup(say: (text: string) => void): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-backup-'))
  try {
    const data = join(folder, 'data')
    await fill(data, say)
    const server = await startHedgerow(data)
    await wait(3000)
    const idle = memoryOf(server.pid)
    const startedAt = performance.now()
    const peak = await backUp(server, data, join(folder, 'a.tar'))
    const seconds = (performance.now() - startedAt) / 1000
    await server.stop()
    const growth = peak - idle
    say(`backup of ${EVENTS} events: ${seconds.toFixed(0)} s, ${growth.toFixed(0)} MB above idle`)
    return [
      {
        what: 'backup of 10 million events beside a server: memory',
        figure: `${growth.toFixed(0)} MB above idle`,
        detail: `server and \`hedgerow backup\` together; idle ${idle.toFixed(0)} MB; ${seconds.toFixed(0)} s`,
        goal: `< ${MAX_GROWTH_MB} MB`,
        met: growth < MAX_GROWTH_MB,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Stores the events beside a database that knows them as its own. */
async function fill(data: string, say: (text: string) => void): Promise<void> {
  await seed(data, 10)
  await rm(join(data, EVENTS_FILE), { force: true })
  const database = new DatabaseSync(join(data, SQLITE_FILE))
  database.exec(`insert into installation values (1, 'bench', 1)
    on conflict do update set id = 'bench', has_events = 1`)
  database.close()
  say(`making ${EVENTS.toLocaleString('en')} events`)
  const file = await makeEvents(data, EVENTS, say)
  await file.close()
}

/** Returns the highest memory of the server and the command together. */
async function backUp(server: Running, data: string, path: string): Promise<number> {
  const child = spawn(process.execPath, ['bin/hedgerow.mjs', 'backup', path], {
    cwd: ROOT,
    env: { ...process.env, HEDGEROW_DATA: data },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  let peak = 0
  while (isRunning(child)) {
    const memory = memoryOf(server.pid) + memoryOf(child.pid as number)
    if (memory > peak) peak = memory // NaN once the process has ended
    await wait(20)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`The backup failed (${code}).`)
  return peak
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null
