import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { memoryOf } from './processes.ts'

/** The most memory that a backup may take, in addition to an idle installation. */
export const MAX_GROWTH_MB = 200

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SAMPLE_MS = 20

export interface CommandRun {
  /** The highest memory in MB of the command and the watched processes together. */
  readonly peak: number
  /** The part of the command's own memory at that moment that is not a mapped file. */
  readonly anonymous: number
  readonly seconds: number
}

/** Runs a command of Hedgerow and watches its memory, together with other processes. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  beside: readonly number[] = [],
): Promise<CommandRun> {
  const startedAt = performance.now()
  const child = start(['bin/hedgerow.mjs', ...args], env)
  const ended = once(child, 'exit')
  let [peak, anonymous] = [0, 0]
  while (isRunning(child)) {
    const pid = child.pid as number
    const memory = [pid, ...beside].reduce((sum, one) => sum + memoryOf(one), 0)
    // NaN once the process has ended
    if (memory > peak) [peak, anonymous] = [memory, anonymousOf(pid)]
    await wait(SAMPLE_MS)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`hedgerow ${args.join(' ')} failed (${code}).`)
  return { peak, anonymous, seconds: (performance.now() - startedAt) / 1000 }
}

/** Measures the memory of a process that has loaded the command and does nothing. */
export async function measureIdle(): Promise<number> {
  const child = start(
    [
      '--input-type=module',
      '-e',
      "await import('#server/cli/backup.ts'); setInterval(() => {}, 1000)",
    ],
    {},
  )
  await wait(3000)
  const memory = memoryOf(child.pid as number)
  const ended = once(child, 'exit')
  child.kill()
  await ended
  return memory
}

const start = (args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess =>
  spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

const anonymousOf = (pid: number): number =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
