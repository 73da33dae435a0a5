import type { FastifyBaseLogger } from 'fastify'

export type Task = () => Promise<void>

export interface TaskOptions {
  readonly log: FastifyBaseLogger
  readonly isStopping: () => boolean
}

/** Returns a task that never overlaps with itself. A call during a run queues one more run. Errors are logged. */
export function withoutOverlap(name: string, work: Task, { log, isStopping }: TaskOptions): Task {
  let running: Promise<void> | undefined
  let runAgain = false

  const run = async (): Promise<void> => {
    do {
      runAgain = false
      await work().catch((err) => log.error({ err }, `${name} failed`))
    } while (runAgain && !isStopping())
    running = undefined
  }

  return () => {
    runAgain = running !== undefined
    running ??= run()
    return running
  }
}

/** Runs the tasks every `ms` milliseconds. Returns a function that ends the loop. */
export function startLoop(ms: number, ...tasks: readonly Task[]): () => void {
  const timer = setInterval(() => runAll(tasks), ms)
  return () => clearInterval(timer)
}

/** Runs the task once after `ms` milliseconds. Returns a function that cancels it. */
export function startTimer(ms: number, task: Task): () => void {
  const timer = setTimeout(() => void task(), ms)
  return () => clearTimeout(timer)
}

/** Starts the tasks without waiting for them: each logs its own errors. */
export function runAll(tasks: readonly Task[]): void {
  for (const task of tasks) void task()
}
