import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { arch, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { memoryOf, startHedgerow } from './processes.ts'
import { listRounds, ofRounds, type Result } from './result.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PORT = 18_431
const ROUNDS = 5
/** Half of what they took on each kind of machine before. */
const GOALS = arch() === 'x64' ? { first: 1250, later: 425 } : { first: 1650, later: 850 }

/** Measures start-up times, and idle memory on an existing data folder. */
export async function measureFootprint(
  dataFolder: string,
  say: (text: string) => void,
): Promise<Result[]> {
  const starts: number[] = []
  const firstStarts: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    starts.push(await timeStart(dataFolder))
    firstStarts.push(await timeFirstStart())
  }
  say(`npm start: ready after ${listRounds(starts)} ms, first start ${listRounds(firstStarts)} ms`)

  const demo = await timeDemo()
  say(`hedgerow demo: filled dashboard after ${Math.round(demo)} ms`)

  const idle = await startHedgerow(dataFolder)
  await wait(3000)
  const memory = memoryOf(idle.pid)
  await idle.stop()
  say(`idle memory: ${memory.toFixed(0)} MB`)
  return [
    {
      subject: 'footprint',
      what: '`npm start` to ready, existing data folder',
      ...ofRounds(starts),
      unit: 'ms',
      goal: { atMost: GOALS.later },
      detail: `${listRounds(starts)} ms`,
    },
    {
      subject: 'footprint',
      what: '`npm start` to ready, first start',
      ...ofRounds(firstStarts),
      unit: 'ms',
      goal: { atMost: GOALS.first },
      detail: `${listRounds(firstStarts)} ms`,
    },
    {
      subject: 'footprint',
      what: '`hedgerow demo` to a filled dashboard, 20,000 events',
      value: demo,
      unit: 'ms',
      goal: { atMost: 10_000 },
      detail: 'first start, import and results included',
    },
    {
      subject: 'footprint',
      what: 'idle memory',
      value: memory,
      unit: 'MB',
      goal: { atMost: 95 },
      detail: 'resident, 3 s after the start',
    },
  ]
}

async function timeStart(dataFolder: string): Promise<number> {
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, HEDGEROW_DATA: dataFolder, HEDGEROW_PORT: String(PORT) },
    stdio: 'ignore',
    detached: true,
  })
  while (!(await isReady())) await wait(5)
  const took = performance.now() - began
  await stopGroup(child)
  return took
}

async function timeFirstStart(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-first-'))
  try {
    return await timeStart(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Prints nothing until the results of its dashboard are computed. */
async function timeDemo(): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, ['bin/hedgerow.mjs', 'demo', '--no-open'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  const took = performance.now() - began
  const ended = once(child, 'exit')
  child.kill()
  await ended
  return took
}

const isReady = async (): Promise<boolean> =>
  fetch(`http://127.0.0.1:${PORT}/_ready`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Ends npm, its shell and the service, which are one process group. */
async function stopGroup(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  process.kill(-(child.pid as number), 'SIGTERM')
  await ended
  while (groupOf(child.pid as number).length > 0) await wait(20)
}

const groupOf = (leader: number): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return (
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[2] ===
          String(leader)
        )
      } catch {
        return false
      }
    })
