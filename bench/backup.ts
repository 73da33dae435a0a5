import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { MAX_GROWTH_MB, runCommand } from './backup-command.ts'
import { memoryOf, startHedgerow } from './processes.ts'
import { makeEvents } from './query-data.ts'
import { type Result, toLine, toText } from './result.ts'
import { seedEvents } from './seed-events.ts'

const EVENTS = 10_000_000

/** Measures the time of a backup beside a running server, and the memory that it takes in both processes. */
export async function measureBackup(say: (text: string) => void): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-backup-'))
  try {
    const data = join(folder, 'data')
    say(`making ${EVENTS.toLocaleString('en')} events`)
    await seedEvents(data, (events) => makeEvents(events, EVENTS, say))
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
