import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { memoryOf, startHedgerow } from './processes.ts'
import type { Result } from './report.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PORT = 18_431

/** Measures start-up time and idle memory on an existing data folder. */
export async function measureFootprint(
  dataFolder: string,
  say: (text: string) => void,
): Promise<Result[]> {
  const starts: number[] = []
  for (let i = 0; i < 5; i++) starts.push(await timeStart(dataFolder))
  const best = starts.toSorted((a, b) => a - b)[2] as number
  say(`npm start: ready after ${starts.map((ms) => Math.round(ms)).join(', ')} ms`)

  const demo = await timeDemo()
  say(`hedgerow demo: filled dashboard after ${Math.round(demo)} ms`)

  const idle = await startHedgerow(dataFolder)
  await wait(3000)
  const memory = memoryOf(idle.pid)
  await idle.stop()
  say(`idle memory: ${memory.toFixed(0)} MB`)
  return [
    {
      what: '`npm start` to ready, existing data folder',
      figure: `${Math.round(best)} ms`,
      detail: `${starts.map((ms) => Math.round(ms)).join(' / ')} ms`,
      goal: '<= 1000 ms',
      met: best <= 1000,
    },
    {
      what: '`hedgerow demo` to a filled dashboard, 20,000 events',
      figure: `${Math.round(demo)} ms`,
      detail: 'first start, import and results included',
      goal: '<= 10,000 ms',
      met: demo <= 10_000,
    },
    {
      what: 'idle memory',
      figure: `${memory.toFixed(0)} MB`,
      detail: 'resident, 3 s after the start',
      goal: '< 120 MB',
      met: memory < 120,
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
