import { sql } from 'kysely'
import { type Explain, type PlanStep, toWork } from '../plan-step.ts'

interface Operator {
  readonly operator_type?: string
  readonly operator_timing?: number
  readonly operator_rows_scanned?: number
  readonly children?: readonly Operator[]
}

const WORKS = [
  [/^(TABLE|SEQ|INDEX)_SCAN$/, 'read'],
  [/FILTER/, 'filter'],
  [/JOIN|CROSS_PRODUCT/, 'join'],
  [/GROUP_BY|AGGREGATE/, 'group'],
  [/WINDOW/, 'window'],
  [/ORDER_BY|TOP_N/, 'sort'],
] as const

export const EXPLAIN: Explain = {
  wrap: (statement) => sql`explain (analyze, format json) ${statement}`,
  toSteps: ([row]) => listSteps(JSON.parse(String(row?.explain_value ?? '{}'))),
}

/** The root and the step that explains do nothing. */
function listSteps(operator: Operator): PlanStep[] {
  const { operator_type: type = '', children = [] } = operator
  const steps = children.flatMap(listSteps)
  if (type === '' || type === 'EXPLAIN_ANALYZE') return steps
  const own: PlanStep = {
    work: toWork(type, WORKS),
    rowsRead: operator.operator_rows_scanned ?? 0,
    milliseconds: (operator.operator_timing ?? 0) * 1000,
  }
  return [own, ...steps]
}
