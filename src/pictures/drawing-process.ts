import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DrawingTask, Drawn } from './contract.ts'

const ENTRY = fileURLToPath(new URL('./child/main.ts', import.meta.url))

/**
 * Libraries in C and Rust read what users wrote: the process may load them and read files, and
 * nothing else. What it needs from outside are fonts.
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
  /** One at a time. Throws when the process ends before it answers. */
  draw(task: DrawingTask): Promise<Drawn>
  /** Resolves when it is gone. */
  end(): Promise<void>
}

export function startDrawing(entry = ENTRY): DrawingProcess {
  const child = fork(entry, [], {
    execArgv: FLAGS,
    env: {}, // the server's holds secrets
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const gone = Promise.withResolvers<void>()
  const lastWords = keepLastWords(child)
  let isAlive = true
  let answer: PromiseWithResolvers<Drawn> | undefined

  const fail = (reason: string) => {
    isAlive = false
    answer?.reject(new Error(`${reason} ${lastWords()}`.trim()))
    answer = undefined
    gone.resolve()
  }
  child.on('message', (drawn: Drawn) => {
    answer?.resolve(drawn)
    answer = undefined
  })
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => fail(`The drawing process ended (${signal ?? code}).`))

  return {
    pid: child.pid,
    get isAlive() {
      return isAlive
    },
    async draw(task) {
      answer = Promise.withResolvers()
      const drawn = answer.promise
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

/** The end of what it wrote as errors, for the log. */
function keepLastWords(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (text: string) => {
    words = (words + text).slice(-500)
  })
  return () => words.trim()
}
