import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DrawingTask, Drawn } from './contract.ts'

const ENTRY = fileURLToPath(new URL('./child/main.ts', import.meta.url))

/**
 * Native libraries process user input, so the process may only load addons and read files; it needs the fonts.
 */
const FLAGS = [
  '--permission',
  '--allow-fs-read=*',
  '--allow-addons',
  '--max-old-space-size=512',
  '--no-warnings',
]

export interface DrawingProcess {
  readonly pid: number | undefined
  readonly isAlive: boolean
  /** Draws one picture; call it again only after it settles. Throws if the process ends first. */
  draw(task: DrawingTask): Promise<Drawn>
  /** Kills the process and resolves when it is gone. */
  end(): Promise<void>
}

export function startDrawing(entry = ENTRY): DrawingProcess {
  const child = fork(entry, [], {
    execArgv: FLAGS,
    env: {}, // the server's environment contains secrets
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const gone = Promise.withResolvers<void>()
  const stderrTail = keepStderrTail(child)
  let isAlive = true
  let response: PromiseWithResolvers<Drawn> | undefined

  const fail = (reason: string) => {
    isAlive = false
    response?.reject(new Error(`${reason} ${stderrTail()}`.trim()))
    response = undefined
    gone.resolve()
  }
  child.on('message', (drawn: Drawn) => {
    response?.resolve(drawn)
    response = undefined
  })
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => fail(`The drawing process ended (${signal ?? code}).`))

  return {
    pid: child.pid,
    get isAlive() {
      return isAlive
    },
    async draw(task) {
      response = Promise.withResolvers()
      const drawn = response.promise
      child.send(task, (error) => error && fail(error.message))
      return drawn
    },
    async end() {
      isAlive = false
      child.kill('SIGKILL')
      await gone.promise
      if (child.exitCode === null && child.signalCode === null && child.pid)
        await once(child, 'exit')
    },
  }
}

/** Keeps the end of stderr, for the log. */
function keepStderrTail(child: ChildProcess): () => string {
  let tail = ''
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (text: string) => {
    tail = (tail + text).slice(-500)
  })
  return () => tail.trim()
}
