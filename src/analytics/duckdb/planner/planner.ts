import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { refuse } from '#server/analytics/queries/sql/errors.ts'
import { withTimeout } from '#server/concurrency.ts'
import { ApiError } from '#server/errors.ts'
import { startTaskProcess, type TaskProcess } from '#server/task-process.ts'
import type { Planned, PlanningLimits, PlanningTask } from './contract.ts'

export type PlanningProcess = TaskProcess<PlanningTask & PlanningLimits, Planned>

export interface PlannerOptions {
  readonly start?: () => PlanningProcess
  /** The time without work after which the process ends: it takes 100 MB. */
  readonly idleMs?: number
  readonly limits?: PlanningLimits
}

export interface Planner {
  /** Refuses a statement whose planning takes too much time or memory. */
  requirePlannable(task: PlanningTask): Promise<void>
  close(): Promise<void>
}

const ENTRY = fileURLToPath(new URL('./main.ts', import.meta.url))

/** The statements that are remembered. Tiles ask for the same ones again and again. */
const REMEMBERED = 1000
/**
 * The heaviest statements that the compiler allows took up to 2.8 s of CPU time and 45 MB, such as a UNION of 896
 * queries. Planning ends there, or it does not end for minutes.
 */
const LIMITS: PlanningLimits = { cpuMs: 3000, growth: 256 * 1024 * 1024 }
/** The process limits its CPU time to less, but on a busy machine that may take long. */
const TIMEOUT_MS = 20_000

/**
 * Plans statements in a process that can be killed, on empty tables. DuckDB does not notice interrupts while it plans,
 * and its memory limit does not apply: a thousand characters of SQL could occupy a thread and all memory forever.
 */
export function createPlanner({
  start = startPlanning,
  idleMs = 20_000,
  limits = LIMITS,
}: PlannerOptions = {}): Planner {
  const plannable = new Set<string>()
  let planning: PlanningProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  async function endProcess(): Promise<void> {
    clearTimeout(idle)
    const ending = planning
    planning = undefined
    await ending?.end()
  }

  /** Treats a process that died like one that took too much: the statement might end the server in the same way. */
  async function plan(task: PlanningTask): Promise<Planned> {
    if (isClosed) throw new ApiError('unavailable', 'The server is stopping.')
    clearTimeout(idle)
    if (!planning?.isAlive) planning = start()
    const outcome = await withTimeout(
      planning.run({ ...task, ...limits }),
      TIMEOUT_MS,
      () => new Error('timeout'),
    ).catch((): Planned => 'too much time')
    if (isClosed) throw new ApiError('unavailable', 'The server is stopping.')
    if (outcome === 'planned') idle = setTimeout(() => void endProcess(), idleMs).unref()
    else await endProcess()
    return outcome
  }

  return {
    async requirePlannable(task) {
      // without the values of parameters, which change with the time but hardly change the plan
      const key = hash('sha256', [...task.tables, task.statement].join('\n'))
      if (plannable.delete(key)) {
        plannable.add(key)
        return
      }
      const turn = last.then(() => plan(task))
      last = turn.catch(() => {})
      const outcome = await turn
      if (outcome !== 'planned') throw unplannable(outcome)
      plannable.add(key)
      if (plannable.size > REMEMBERED) plannable.delete(plannable.keys().next().value as string)
    },
    async close() {
      isClosed = true
      await endProcess()
      await last
    },
  }
}

const startPlanning = (): PlanningProcess => startTaskProcess(ENTRY, 'planning')

const unplannable = (outcome: Exclude<Planned, 'planned'>): ApiError =>
  refuse(
    `Planning the query takes ${outcome}. Use fewer joins, subqueries, conditions or columns, or divide it into several queries.`,
  )
