import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import type { TableResult } from '#model/query-results.ts'
import type { Explain, PlanStep } from '../plan-step.ts'
import type { Context, PlanRun } from './plan.ts'
import { runPlan } from './plan.ts'
import { atText } from './run-query.ts'

export interface Explained {
  readonly result: TableResult
  readonly milliseconds: number
  readonly steps: readonly PlanStep[]
}

/**
 * Runs a query twice: as always, within all limits and with the time that it takes, and then with the clocks of its steps,
 * which slow it down.
 */
export async function explainSql(
  run: PlanRun,
  query: HogQLQuery,
  context: Context,
): Promise<Explained> {
  try {
    const { compileHogQLQuery } = await import('./sql/compile.ts')
    const { statements, toResult, effort, ...needs } = await compileHogQLQuery(query, context)
    const properties = [...new Set([...needs.properties, ...context.cohorts.properties])]
    const required = { ...needs, properties }
    const start = performance.now()
    const result = await runPlan(run, { ...required, statements, toResult, effort })
    const milliseconds = performance.now() - start
    return { result, milliseconds, steps: await readSteps(run, { ...required, statements }) }
  } catch (error) {
    throw atText(error, `${context.attr}__query`)
  }
}

type Statements = Parameters<typeof runPlan>[1]

/** The statement has just run, so that planning it is no danger. */
async function readSteps(
  { store, projectId, timeoutMs, signal }: PlanRun,
  { statements, ...required }: Omit<Statements, 'toResult'>,
): Promise<PlanStep[]> {
  const [statement] = statements
  if (!statement) return []
  let explain: Explain | undefined
  const rows = await store.query(projectId, {
    ...required,
    signal,
    ...(timeoutMs && { timeoutMs }),
    toSql: (table) => {
      explain = table.explain
      return explain.wrap(statement(table))
    },
  })
  return explain?.toSteps(rows) ?? []
}
