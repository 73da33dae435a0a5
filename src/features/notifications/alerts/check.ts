import { MIN_VALUES, toUsualRange } from '#model/usual-range.ts'
import { changeUncached } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { json, now } from '#server/db/values.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import type { RefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { NO_OVERRIDES } from '#server/features/results/check/overrides.ts'
import { prepareQueries } from '#server/features/results/check/prepare-queries.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import { queueDeliveries } from '../deliveries/deliveries.ts'
import { toDeliverySource } from '../source.ts'
import { type Condition, toSensitivity } from './fields.ts'
import { alertLog } from './log.ts'
import type { AlertProblem, AlertValue } from './measures/measure.ts'
import { toAlertNotification } from './notification.ts'
import { endOfPause, isPaused, nextCheckAt } from './schedule.ts'
import { isBreached, type Measured, nextState } from './state.ts'
import {
  type AlertRow,
  type AlertWithQuery,
  postponeCheck,
  recordCheck,
  updateAlert,
} from './store.ts'
import { listRecipients } from './subscribers.ts'
import { readAlertValue } from './value.ts'

export interface CheckDeps {
  readonly db: Db
  readonly results: Results
  readonly clock: () => Temporal.Instant
}

/** Checks an alert against the result of its insight, and returns whether deliveries were queued. */
export async function checkAlert(
  { db, results, clock }: CheckDeps,
  alert: AlertWithQuery,
  refresh: RefreshPolicy,
): Promise<boolean> {
  const { zone } = await getQueryContext(db, alert.project_id)
  const at = clock().toZonedDateTimeISO(zone)
  if (isPaused(alert, at)) {
    await changeUncached(db, (tx) => postponeCheck(tx, alert, endOfPause(at)))
    return false
  }
  const query = JSON.parse(alert.query)
  const request = { query, overrides: NO_OVERRIDES, insightId: alert.insight_id }
  const queries = await prepareQueries([request])
  const [result] = (await results.find(alert.project_id, queries, refresh)) as [QueryResult]
  if (!result.isFresh && !isRecent(result)) return false // computed with other overrides
  const value = readValue(alert, query, result)
  const measuredAt = result.row?.computed_at ?? now()
  return changeUncached(db, (tx) => settleCheck(tx, alert, value, { measuredAt, at }))
}

/** A result of the last minute is good enough, because nothing stays fresh while many events come in. */
const RECENT_MS = 60_000

const isRecent = ({ row }: QueryResult): boolean =>
  row !== undefined && Date.now() - Date.parse(row.computed_at) < RECENT_MS

function readValue(
  alert: AlertWithQuery,
  query: unknown,
  { row, zone, problem }: QueryResult,
): Measured | AlertProblem {
  if (problem) return { problem: problem.message }
  if (!row) return { problem: 'The insight has no result.' }
  const measured = readAlertValue({ query, row, zone, config: JSON.parse(alert.config) })
  if ('problem' in measured) return measured
  const condition: Condition = JSON.parse(alert.condition)
  if (condition.type === 'anomaly') return withUsualRange(measured, condition)
  const { value, earlier } = measured
  if (condition.type !== 'absolute_value' && earlier.length === 0) {
    return { problem: 'The insight has no previous value to compare with.' }
  }
  return { value, previous: earlier.at(-1), usual: null }
}

function withUsualRange(
  { value, earlier, seasons = [] }: AlertValue,
  condition: Condition,
): Measured | AlertProblem {
  const usual = toUsualRange(earlier, seasons, toSensitivity(condition))
  if (usual) return { value, previous: earlier.at(-1), usual }
  return {
    problem: `An anomaly needs ${MIN_VALUES} complete intervals before the last. Let the insight show a longer period.`,
  }
}

async function settleCheck(
  tx: Tx,
  alert: AlertRow,
  value: Measured | AlertProblem,
  { measuredAt, at }: { readonly measuredAt: string; readonly at: Temporal.ZonedDateTime },
): Promise<boolean> {
  const isKnown = 'value' in value
  const row = await recordCheck(
    tx,
    alert,
    measuredAt,
    isKnown
      ? { last_value: value.value, usual_range: value.usual && json(value.usual), last_error: null }
      : { last_error: value.problem },
  )
  if (!row) return false // a concurrent change has made it due again
  const breached = isKnown
    ? isBreached(JSON.parse(row.condition), JSON.parse(row.threshold), value)
    : value
  const { state, is_told, event } = nextState(row, breached)
  const next_check_at = nextCheckAt(row, at)
  await updateAlert(tx, row, { state, is_told, next_check_at, snoozed_until: null })
  if (!event || !isKnown) return false
  await notify(tx, row, event, value)
  return true
}

async function notify(
  tx: Tx,
  row: AlertRow,
  event: 'alert.firing' | 'alert.resolved',
  value: Measured,
): Promise<void> {
  const notification = await toAlertNotification(tx, row, event, value)
  const source = toDeliverySource('Alert', row)
  await queueDeliveries(tx, source, await listRecipients(tx, row), notification)
  const system = { projectId: row.project_id, userId: null }
  await alertLog.logActivity(tx, system, row, event === 'alert.firing' ? 'fired' : 'resolved')
}
