import type { FunnelStep } from '#model/query-results.ts'
import type { AlertProblem, AlertValue } from './measure.ts'

/** Takes the share of persons who reached the last step, 0 to 1. */
export function measureFunnel(results: readonly unknown[]): AlertValue | AlertProblem {
  const all = (Array.isArray(results[0]) ? results : [results]) as readonly FunnelStep[][]
  const hasSteps = all.every((steps) => steps.length > 0 && steps.every((step) => 'count' in step))
  if (!hasSteps) return { problem: 'The funnel shows no steps.' }
  const hasCohorts = all.some(([first]) => first?.breakdown_label !== undefined)
  const groups = hasCohorts ? all.filter(([first]) => first?.breakdown_value === 'all') : all
  if (groups.length === 0) {
    return { problem: 'A person can be in several cohorts. Add all persons to the breakdown.' }
  }
  const sum = (at: number) => groups.reduce((total, steps) => total + (steps.at(at)?.count ?? 0), 0)
  const entered = sum(0)
  return { value: entered === 0 ? 0 : sum(-1) / entered, earlier: [] }
}
