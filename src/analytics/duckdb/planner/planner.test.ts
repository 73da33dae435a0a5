import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTaskProcess } from '#server/task-process.ts'
import { until } from '../../../../test/support/until.ts'
import type { Planned, PlanningLimits, PlanningTask } from './contract.ts'
import { createPlanner, type PlannerOptions, type PlanningProcess } from './planner.ts'

const ENTRY = fileURLToPath(new URL('./main.ts', import.meta.url))
const TABLES = ['create table facts (project_id bigint, event varchar)']

/** DuckDB takes twice as long with each level. */
const toTask = (levels: number): PlanningTask => ({
  tables: TABLES,
  statement: `${'select event, count(*) as n from ('.repeat(levels)}select event, $1::bigint as n from facts${') group by event'.repeat(levels)}`,
  parameters: [1],
})

/** Also returns the started processes, in order. */
function openPlanner(options: Partial<PlannerOptions> = {}) {
  const processes: PlanningProcess[] = []
  const start = () => {
    const one = startTaskProcess<PlanningTask & PlanningLimits, Planned>(ENTRY, 'planning')
    processes.push(one)
    return one
  }
  const planner = createPlanner({ start, limits: { cpuMs: 300, growth: 2 ** 30 }, ...options })
  onTestFinished(() => planner.close())
  return { planner, processes }
}

describe('the planner', () => {
  it('refuses a statement that takes too long to plan, and plans the next in a new process', async () => {
    const { planner, processes } = openPlanner()
    await planner.requirePlannable(toTask(5))

    await expect(planner.requirePlannable(toTask(45))).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('Planning the query takes too much time'),
    })

    expect(processes.map(({ isAlive }) => isAlive)).toEqual([false])
    await planner.requirePlannable(toTask(6))
    expect(processes).toHaveLength(2)
  })

  it('plans a statement once, and another if its tables have changed', async () => {
    const { planner, processes } = openPlanner()
    await planner.requirePlannable(toTask(5))
    await processes[0]?.end()

    await planner.requirePlannable(toTask(5))
    expect(processes).toHaveLength(1)

    await planner.requirePlannable({ ...toTask(5), tables: ['create table facts (event varchar)'] })
    expect(processes).toHaveLength(2)
  })

  it('refuses a statement that takes too much memory to plan', async () => {
    const { planner } = openPlanner({ limits: { cpuMs: 60_000, growth: 1024 } })

    await expect(planner.requirePlannable(toTask(45))).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('Planning the query takes too much memory'),
    })
  })

  it('leaves errors to the server that runs the statement', async () => {
    const { planner } = openPlanner()

    const wrong = { tables: TABLES, statement: 'select nothing from facts', parameters: [] }

    expect(await planner.requirePlannable(wrong)).toBeUndefined()
  })

  it('ends an idle process', async () => {
    const { planner, processes } = openPlanner({ idleMs: 20 })
    await planner.requirePlannable(toTask(5))

    await until(() => processes[0]?.isAlive === false)
  })

  it('refuses a statement that ends the process', async () => {
    const { planner, processes } = openPlanner()
    const refused = expect(planner.requirePlannable(toTask(45))).rejects.toMatchObject({
      statusCode: 400,
    })

    process.kill((await until(() => processes[0]?.pid)) as number, 'SIGKILL')

    await refused
  })

  it('ends the process on close, even while it is planning', async () => {
    const { planner, processes } = openPlanner()
    const stopped = expect(planner.requirePlannable(toTask(45))).rejects.toMatchObject({
      statusCode: 503,
    })
    await until(() => processes[0]?.pid)

    await planner.close()

    await stopped
    expect(processes[0]?.isAlive).toBe(false)
  })
})
