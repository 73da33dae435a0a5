import type { Db } from '#server/db/schema.ts'
import { doesNotExist, invalid } from '#server/errors.ts'
import { findInsight, type InsightRow } from '#server/features/dashboards/insights/store.ts'
import type { Target, TargetInput } from '../deliveries/schema.ts'
import { requireTarget, type TargetPolicy } from '../deliveries/targets.ts'
import type { Condition, Threshold } from './schema.ts'
import { sourceIn, WATCHABLE } from './value.ts'

export const requireTargets = (
  targetPolicy: TargetPolicy,
  targets: readonly TargetInput[],
): Target[] =>
  targets.map((target, index) => requireTarget(targetPolicy, target, `targets__${index}`))

/** An insight of the project that comes to a number, or to several in a row if they are to be compared. */
export async function requireWatchable(
  db: Db,
  projectId: number,
  insightId: number,
  { type }: Condition,
): Promise<InsightRow> {
  const insight = await findInsight(db, projectId, insightId)
  if (!insight || insight.deleted) throw doesNotExist('insight', insightId)
  const { kind } = sourceIn(JSON.parse(insight.query))
  if (typeof kind !== 'string' || !WATCHABLE.includes(kind)) {
    const asks = typeof kind === 'string' ? `a ${kind}` : 'an insight without a query'
    const detail = `An alert cannot watch ${asks.slice(0, 100)}, only a ${WATCHABLE.join(', ')}.`
    throw invalid('insight', detail)
  }
  if (type !== 'absolute_value' && kind !== 'TrendsQuery') {
    const detail = `Only a TrendsQuery has a value before the last one; this is a ${kind}.`
    throw invalid('condition__type', detail)
  }
  return insight
}

export function requireThreshold({ type }: Condition, { configuration }: Threshold): void {
  const { lower = null, upper = null } = configuration.bounds
  if (lower === null && upper === null) {
    throw invalid('threshold__configuration__bounds', 'Give a lower or an upper bound, or both.')
  }
  if (lower !== null && upper !== null && lower > upper) {
    throw invalid(
      'threshold__configuration__bounds',
      'The lower bound may not be above the upper one.',
    )
  }
  if (type === 'absolute_value' && configuration.type === 'percentage') {
    const detail =
      'A percentage needs a condition that compares: a value is a percentage of nothing.'
    throw invalid('threshold__configuration__type', detail)
  }
}

/** As it is stored, so that it sorts. */
export function requireTime(attr: string, text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw invalid(attr, 'This is not a time.')
  const stored = new Date(time).toISOString()
  if (/^\d{4}-/.test(stored)) return stored
  throw invalid(attr, 'This is not a time.')
}
