import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { EVENTS_FILE } from '#server/analytics/duckdb/file.ts'
import { SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import { MAX_GROWTH_MB, runCommand } from './backup-command.ts'
import { memoryOf, startHedgerow } from './processes.ts'
import { makeEvents } from './query-data.ts'
import { type Result, toLine, toText } from './result.ts'
import { seed } from './seed.ts'

const EVENTS = 10_000_000

/** Measures the time of a backup beside a running server, and the memory that it takes in both processes. */
export async function measureBackup(say: (text: string) => void): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-backup-'))
  try {
    const data = join(folder, 'data')
    await fill(data, say)
    const server = await startHedgerow(data)
    await wait(3000)
    const idle = memoryOf(server.pid)
    const command = ['backup', join(folder, 'a.tar')]
    const { peak, seconds } = await runCommand(command, { HEDGEROW_DATA: data }, [server.pid])
    await server.stop()
    const result: Result = {
      subject: 'backup',
      what: 'backup of 10 million events beside a server: memory',
      value: peak - idle,
      unit: 'MB above idle',
      goal: { atMost: MAX_GROWTH_MB },
      detail: `server and \`hedgerow backup\` together; idle ${toText(idle)} MB; ${toText(seconds)} s`,
    }
    say(toLine(result))
    return [result]
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
