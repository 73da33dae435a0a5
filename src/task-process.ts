import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A process that does one task at a time and can be killed at any time. */
export interface TaskProcess<Task, Done> {
  readonly pid: number | undefined
  readonly isAlive: boolean
  /** Sends a task and waits for its message; call it again only after it settles. Throws if the process ends first. */
  run(task: Task): Promise<Done>
  /** Kills the process and resolves when it is gone. */
  end(): Promise<void>
}

/** Native libraries process user input, so the process may only load addons and read files. */
const FLAGS = ['--permission', '--allow-fs-read=*', '--allow-addons', '--no-warnings']

/** Starts a module that answers each message with one message. */
export function startTaskProcess<Task extends object, Done>(
  entry: string,
  name: string,
): TaskProcess<Task, Done> {
  const child = fork(entry, [], {
    execArgv: [...FLAGS, '--max-old-space-size=512'],
    env: {}, // the server's environment contains secrets
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const gone = Promise.withResolvers<void>()
  const stderrTail = keepStderrTail(child)
  let isAlive = true
  let response: PromiseWithResolvers<Done> | undefined

  const fail = (reason: string) => {
    isAlive = false
    response?.reject(new Error(`${reason} ${stderrTail()}`.trim()))
    response = undefined
    gone.resolve()
  }
  child.on('message', (done: Done) => {
    response?.resolve(done)
    response = undefined
  })
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => fail(`The ${name} process ended (${signal ?? code}).`))

  return {
    pid: child.pid,
    get isAlive() {
      return isAlive
    },
    async run(task) {
      response = Promise.withResolvers()
      const done = response.promise
      child.send(task, (error) => error && fail(error.message))
      return done
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
