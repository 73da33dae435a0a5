import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { StorageOptions } from '#server/db/open.ts'
import { toPath } from './app.ts'

export const COMMAND = fileURLToPath(new URL('../../../bin/hedgerow.mjs', import.meta.url))
/** On a busy machine, loading the code alone may take 20 s. */
const READY_WITHIN_MS = 60_000

export type Environment = Readonly<Record<string, string | undefined>>

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the output
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
  call(key: string, path: string, method?: string, body?: unknown): Promise<TestResponse>
}

export interface TestResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the response
  readonly body: any
}

export const toEnv = ({ dataFolder, databaseUrl, clickHouse }: StorageOptions): Environment => ({
  HEDGEROW_DATA: dataFolder,
  DATABASE_URL: databaseUrl,
  ...(clickHouse && { EVENTS_URL: clickHouse.url, EVENTS_CLUSTER: clickHouse.cluster }),
})

/** Runs the command in a separate process, as an operator does, and waits for its end. */
export async function runProcess(args: readonly string[], env: Environment = {}): Promise<Result> {
  const child = launch(args, env)
  const output = collect(child)
  const [code] = await once(child, 'close')
  return toResult({ code, ...output })
}

let commands: ChildProcess | undefined
let lastCommand: Promise<unknown> = Promise.resolve()

/**
 * Runs the command in a process that this worker keeps, because loading the code takes most of a second. A command that
 * leaves resources open never ends, as in a separate process.
 */
export function runHedgerow(args: readonly string[], env: Environment = {}): Promise<Result> {
  const result = lastCommand.then(() => send(keepCommands(), args, env))
  lastCommand = result.catch(() => {})
  return result
}

function keepCommands(): ChildProcess {
  if (commands?.connected) return commands
  commands = fork(new URL('cli-child.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  commands.unref()
  commands.channel?.unref()
  return commands
}

async function send(child: ChildProcess, args: readonly string[], env: Environment) {
  const ended = new AbortController()
  const onExit = () => ended.abort(new Error(`The process ended during ${args.join(' ')}.`))
  child.once('exit', onExit)
  child.channel?.ref()
  child.send({ args, env })
  const [output] = await once(child, 'message', { signal: ended.signal })
  child.channel?.unref()
  child.off('exit', onExit)
  return toResult(output)
}

const toResult = (output: Omit<Result, 'json'>): Result => ({
  ...output,
  get json() {
    return JSON.parse(output.stdout)
  },
})

/** Starts on a free port and waits until it is ready. */
export const startServer = (env: Environment, ...args: string[]): Promise<Server> =>
  watchServer(launch(['serve', ...args], { HEDGEROW_PORT: '0', ...env }))

/** Waits until the server of a process is ready, and kills it after the test. */
export async function watchServer(
  child: ChildProcess,
  { kill = () => child.kill('SIGKILL') as unknown, readyWithin = READY_WITHIN_MS } = {},
): Promise<Server> {
  const output = collect(child)
  const exited = once(child, 'close')
  onTestFinished(async () => {
    kill()
    await exited
  })
  const url = await Promise.race([
    readUrl(child, output, readyWithin),
    exited.then(() => undefined),
  ])
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

/** The environment contains only the test's variables, none of the developer's. */
export const launch = (
  args: readonly string[],
  env: Environment,
  user: { readonly uid?: number; readonly gid?: number } = {},
): ChildProcess =>
  spawn(process.execPath, [COMMAND, ...args], {
    ...user,
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

async function readUrl(child: ChildProcess, output: Output, within: number): Promise<string> {
  const signal = AbortSignal.timeout(within)
  for (;;) {
    const url = /^(?:Hedgerow is ready at |{"url":")(http[^"\s]+)/m.exec(output.stdout)?.[1]
    if (url) return url
    await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data', { signal })
  }
}

async function call(
  url: string,
  key: string,
  method: string,
  body: unknown,
): Promise<TestResponse> {
  const response = await fetch(url, {
    method,
    // or a server that stops waits for the next request on the connection
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
