import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { StorageOptions } from '#server/db/open.ts'
import { toPath } from './app.ts'

export const COMMAND = fileURLToPath(new URL('../bin/hedgerow.mjs', import.meta.url))
const READY_WITHIN_MS = 20_000

export type Environment = Readonly<Record<string, string | undefined>>

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints is whatever the test expects of it
  readonly json: any
}

export interface Server {
  readonly url: string
  readonly process: ChildProcess
  /** The output and log so far. */
  stdout(): string
  stderr(): string
  /** Ends it and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  call(key: string, path: string, method?: string, body?: unknown): Promise<Answer>
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test expects of it
  readonly body: any
}

export const toEnv = ({ dataFolder, databaseUrl }: StorageOptions): Environment => ({
  HEDGEROW_DATA: dataFolder,
  DATABASE_URL: databaseUrl,
})

/** Runs the command as an operator does and waits for its end. */
export async function runHedgerow(args: readonly string[], env: Environment = {}): Promise<Result> {
  const child = launch(args, env)
  const output = collect(child)
  const [code] = await once(child, 'close')
  const { stdout, stderr } = output
  return {
    code,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout)
    },
  }
}

let rowsChild: ChildProcess | undefined
let lastRow: Promise<unknown> = Promise.resolve()

/**
 * Runs the command in a process that this worker keeps, one after the other. For tables of refusals: a process for each
 * row takes most of a second to load the same code again.
 */
export function runRow(
  args: readonly string[],
  env: Environment = {},
): Promise<Omit<Result, 'json'>> {
  rowsChild ??= fork(new URL('cli-rows-child.ts', import.meta.url), { stdio: 'ignore' })
  rowsChild.unref()
  rowsChild.channel?.unref()
  const child = rowsChild
  const row = lastRow.then(async () => {
    child.channel?.ref()
    child.send({ args, env })
    const [result] = await once(child, 'message')
    child.channel?.unref()
    return result
  })
  lastRow = row
  return row
}

/** Starts on a free port and waits until it is ready. */
export async function startServer(env: Environment, ...args: string[]): Promise<Server> {
  const child = launch(['serve', ...args], { HEDGEROW_PORT: '0', ...env })
  const output = collect(child)
  const exited = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const url = await Promise.race([readUrl(child, output), exited.then(() => undefined)])
  if (url === undefined) throw new Error(`The server did not start: ${output.stderr}`)
  return {
    url,
    process: child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const [code] = await exited
      return code
    },
    call: (key, path, method = 'GET', body) => call(url + toPath(1, path), key, method, body),
  }
}

/** Starts a separate worker and waits until it is ready. */
export async function startWorkerProcess(env: Environment): Promise<ChildProcess> {
  const child = launch(['worker'], env)
  const output = collect(child)
  const exited = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const signal = AbortSignal.timeout(READY_WITHIN_MS)
  while (!output.stdout.includes('Worker ready')) {
    if (child.exitCode !== null) throw new Error(`The worker did not start: ${output.stderr}`)
    await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data', { signal })
  }
  return child
}

/** Contains only what the test sets, none of the developer's variables. */
const launch = (args: readonly string[], env: Environment): ChildProcess =>
  spawn(process.execPath, [COMMAND, ...args], {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

interface Output {
  stdout: string
  stderr: string
}

function collect(child: ChildProcess): Output {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  }
  return output
}

async function readUrl(child: ChildProcess, output: Output): Promise<string> {
  const signal = AbortSignal.timeout(READY_WITHIN_MS)
  for (;;) {
    const url = /^(?:Hedgerow is ready at |{"url":")(http[^"\s]+)/m.exec(output.stdout)?.[1]
    if (url) return url
    await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data', { signal })
  }
}

async function call(url: string, key: string, method: string, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
