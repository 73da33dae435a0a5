import type { EventStore } from '../event-store.ts'
import type { Plan } from './plan.ts'

export async function runPlan<Result>(
  store: Pick<EventStore, 'query'>,
  projectId: number,
  { properties, statements, toResult }: Plan<Result>,
  timeoutMs?: number,
): Promise<Result> {
  const ask = (toSql: (typeof statements)[number]) =>
    store.query(projectId, { properties, toSql, ...(timeoutMs && { timeoutMs }) })
  return toResult(await Promise.all(statements.map(ask)))
}
