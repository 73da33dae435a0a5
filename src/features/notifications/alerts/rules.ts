import { fieldsOf } from '#model/json.ts'
import { kindOf, QUERY_KINDS } from '#model/query-kinds/index.ts'
import type { AlertRule } from '#model/query-kinds/query-kind.ts'
import { unwrapQuery } from '#model/query-node.ts'
import type { Db } from '#server/db/schema.ts'
import { doesNotExist, invalid } from '#server/errors.ts'
import { findInsight, type InsightRow } from '#server/features/dashboards/insight-rows/store.ts'
import { requireTime } from '#server/http/times.ts'
import type { Target, TargetInput } from '../deliveries/schema.ts'
import { requireTarget, type TargetPolicy } from '../deliveries/targets.ts'
import type { AlertConfig, Condition, Threshold } from './fields.ts'
import type { AlertPatch } from './schema.ts'

export const toReferencedId = (reference: number | { readonly id: number }): number =>
  typeof reference === 'number' ? reference : reference.id

export const requireTargets = (policy: TargetPolicy, targets: readonly TargetInput[]): Target[] =>
  targets.map((target, index) => requireTarget(policy, target, `targets__${index}`))

const WATCHABLE = QUERY_KINDS.flatMap(({ kind, alert }) => (alert ? [kind] : [])).join(', ')
const OVER_TIME = listComparing('intervals')
const IN_PERIODS = listComparing('period')

function listComparing(earlier: AlertRule['earlier']): string {
  return QUERY_KINDS.flatMap(({ kind, alert }) => (alert?.earlier === earlier ? [kind] : [])).join(
    ', ',
  )
}

/** Requires an insight that yields a number, and a previous number if the condition compares. */
export async function requireWatchable(
  db: Db,
  projectId: number,
  insightId: number,
  condition: Condition,
): Promise<InsightRow> {
  const insight = await findInsight(db, projectId, insightId)
  if (!insight || insight.deleted) throw doesNotExist('insight', insightId)
  const query = JSON.parse(insight.query)
  const { source } = unwrapQuery(query)
  const { kind } = source
  const { alert } = kindOf(query) ?? {}
  if (!alert) {
    const watched = typeof kind === 'string' ? `a ${kind}` : 'an insight without a query'
    const detail = `An alert cannot watch ${watched.slice(0, 100)}, only a ${WATCHABLE}.`
    throw invalid('insight', detail)
  }
  requireEarlier(condition, alert, source)
  return insight
}

/** Requires something to compare with: earlier intervals, or for a change the previous period of the query. */
function requireEarlier({ type }: Condition, { earlier }: AlertRule, source: QueryFields): void {
  if (type === 'absolute_value' || earlier === 'intervals') return
  const refuse = (detail: string) => invalid('condition__type', detail)
  if (type === 'anomaly') {
    throw refuse(
      `Only ${OVER_TIME} have the values over time that an anomaly needs; this is a ${source.kind}.`,
    )
  }
  if (!earlier) {
    const kinds = `${OVER_TIME}, and with a previous period ${IN_PERIODS}`
    throw refuse(`Only ${kinds} have earlier values to compare with; this is a ${source.kind}.`)
  }
  const { compare } = fieldsOf(source.compareFilter)
  if (compare === true) return
  throw refuse(
    `This ${source.kind} has no previous period to compare with. Turn on the comparison of the insight, \`compareFilter.compare\`.`,
  )
}

type QueryFields = ReturnType<typeof unwrapQuery>['source']

export function requireThreshold(condition: Condition, { configuration }: Threshold): void {
  const { type, sensitivity } = condition
  const { lower = null, upper = null } = configuration.bounds
  if (type === 'anomaly') {
    if (lower === null && upper === null) return
    const detail = 'An anomaly has no bounds; `condition.sensitivity` says how soon a value is one.'
    throw invalid('threshold__configuration__bounds', detail)
  }
  if (sensitivity !== undefined) {
    throw invalid('condition__sensitivity', 'Only an anomaly has a sensitivity.')
  }
  if (lower === null && upper === null) {
    throw invalid('threshold__configuration__bounds', 'Set a lower bound, an upper bound, or both.')
  }
  if (lower !== null && upper !== null && lower > upper) {
    throw invalid(
      'threshold__configuration__bounds',
      'The lower bound must not be above the upper bound.',
    )
  }
  if (type === 'absolute_value' && configuration.type === 'percentage') {
    const detail = 'A percentage needs a condition that compares with the previous value.'
    throw invalid('threshold__configuration__type', detail)
  }
}

/** A value that still grows is below its usual range for most of its interval. */
export function requireComplete({ type }: Condition, config: AlertConfig = {}): void {
  if (type !== 'anomaly' || !config.check_ongoing_interval) return
  const detail = 'An anomaly is found in complete intervals only.'
  throw invalid('config__check_ongoing_interval', detail)
}

export function requireRecipient(recipients: readonly unknown[]): void {
  if (recipients.length > 0) return
  throw invalid('targets', 'An alert needs someone to notify: `targets` or `subscribed_users`.')
}

/** Clients that know quiet hours send null for none. */
export function requireNoQuietHours({ schedule_restriction }: AlertPatch): void {
  if (!schedule_restriction) return
  const detail = 'Alerts have no quiet hours. `skip_weekend` and `snoozed_until` pause an alert.'
  throw invalid('schedule_restriction', detail)
}

export const toSnoozedUntil = (snooze: string | null | undefined): string | null =>
  requireTime('snoozed_until', snooze ?? undefined) ?? null
