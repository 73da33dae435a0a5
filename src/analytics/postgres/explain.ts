import { sql } from 'kysely'
import { type Explain, type PlanStep, toWork } from '../plan-step.ts'

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Actual Total Time'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

const WORKS = [
  [/^(Seq|Index|Index Only|Bitmap Heap|Bitmap Index|Tid) Scan$/, 'read'],
  [/^(Nested Loop|Merge Join|Hash Join|Hash|Materialize|Memoize)$/, 'join'],
  [/Aggregate|^Group|^Unique$|SetOp/, 'group'],
  [/^WindowAgg$/, 'window'],
  [/Sort|^Gather Merge$|^Merge Append$/, 'sort'],
] as const

export const EXPLAIN: Explain = {
  wrap: (statement) => sql`explain (analyze, format json) ${statement}`,
  toSteps([row]) {
    const [explained] = (row?.['QUERY PLAN'] ?? []) as unknown as { readonly Plan: PlanNode }[]
    return explained ? listSteps(explained.Plan) : []
  },
}

/** Loops of one process follow each other; those of several overlap, so that a step may seem to take no time. */
const totalTime = (node: PlanNode): number =>
  (node['Actual Total Time'] ?? 0) * (node['Actual Loops'] ?? 1)

function listSteps(node: PlanNode): PlanStep[] {
  const { Plans: plans = [] } = node
  const before = plans.reduce((sum, plan) => sum + totalTime(plan), 0)
  const passed = node['Relation Name'] === undefined ? 0 : (node['Actual Rows'] ?? 0)
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own: PlanStep = {
    work: toWork(node['Node Type'], WORKS),
    rowsRead:
      node['Relation Name'] === undefined
        ? 0
        : Math.round((passed + removed) * (node['Actual Loops'] ?? 1)),
    milliseconds: Math.max(0, totalTime(node) - before),
  }
  return [own, ...plans.flatMap(listSteps)]
}
