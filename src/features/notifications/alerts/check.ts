import type { Db, Tx } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'
import { insertActivity } from '#server/features/activity/store.ts'
import { NO_OVERRIDES } from '#server/features/results/overrides.ts'
import type { RefreshPolicy } from '#server/features/results/refresh.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import { queueDeliveries } from '../deliveries/deliveries.ts'
import { toAlertNotification } from './notification.ts'
import { type AlertProblem, type AlertValue, isBreached, nextState } from './state.ts'
import { type AlertRow, type AlertWithQuery, updateAlert } from './store.ts'
import { readAlertValue } from './value.ts'

const INTERVAL_S = { hourly: 3600, daily: 24 * 3600, weekly: 7 * 24 * 3600 }

/** Looks at what the insight says, and returns whether there is something to deliver. */
export async function checkAlert(
  db: Db,
  results: Results,
  alert: AlertWithQuery,
  refresh: RefreshPolicy,
): Promise<boolean> {
  const query = JSON.parse(alert.query)
  const asked = { query, overrides: NO_OVERRIDES, insightId: alert.insight_id }
  const [found] = (await results.find(alert.project_id, [asked], refresh)) as [QueryResult]
  if (!found.isFresh && !isRecent(found)) return false // something else was computed for the insight
  const measured = toMeasured(alert, query, found)
  const measuredAt = found.row?.computed_at ?? now()
  return db.transaction().execute((tx) => settleCheck(tx, alert, measured, measuredAt))
}

/** While events pour in nothing stays fresh, and what was computed a moment ago is the best there is. */
const RECENT_MS = 60_000

const isRecent = ({ row }: QueryResult): boolean =>
  row !== undefined && Date.now() - Date.parse(row.computed_at) < RECENT_MS

function toMeasured(
  alert: AlertWithQuery,
  query: unknown,
  found: QueryResult,
): AlertValue | AlertProblem {
  const { row, zone, problem } = found
  if (problem) return { problem: problem.message }
  if (!row) return { problem: 'The insight has no result.' }
  const measured = readAlertValue({ query, row, zone, config: JSON.parse(alert.config) })
  const compares = JSON.parse(alert.condition).type !== 'absolute_value'
  if ('value' in measured && compares && measured.previous === undefined) {
    return { problem: 'The insight shows nothing before that to compare with.' }
  }
  return measured
}

/** The update is the lock: of two that have looked at the same time the second sees what the first has told. */
async function settleCheck(
  tx: Tx,
  { id, insight_id, config, condition }: AlertRow,
  measured: AlertValue | AlertProblem,
  measuredAt: string,
): Promise<boolean> {
  const isKnown = 'value' in measured
  const row = await tx
    .updateTable('alerts')
    .set({
      last_checked_at: now(),
      measured_at: measuredAt,
      last_error: isKnown ? null : measured.problem,
      ...(isKnown && { last_value: measured.value }),
    })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    // not what was changed while we looked: it is due again by that change
    .where('insight_id', '=', insight_id)
    .where('config', '=', config)
    .where('condition', '=', condition)
    .where('measured_at', '<=', measuredAt)
    .where((eb) => eb.or([eb('snoozed_until', 'is', null), eb('snoozed_until', '<=', now())]))
    .returningAll()
    .executeTakeFirst()
  if (!row) return false
  const breached = isKnown
    ? isBreached(JSON.parse(row.condition), JSON.parse(row.threshold), measured)
    : measured
  const { state, is_told, event } = nextState(row, breached)
  const next_check_at = inSeconds(INTERVAL_S[row.calculation_interval])
  await updateAlert(tx, row, { state, is_told, next_check_at, snoozed_until: null })
  if (!event || !isKnown) return false
  await tell(tx, row, event, measured)
  return true
}

async function tell(
  tx: Tx,
  row: AlertRow,
  event: 'alert.firing' | 'alert.resolved',
  measured: AlertValue,
): Promise<void> {
  const owner = { projectId: row.project_id, column: 'alert_id', id: row.id } as const
  const notice = await toAlertNotification(tx, row, event, measured)
  await queueDeliveries(tx, owner, JSON.parse(row.targets), notice)
  await insertActivity(tx, {
    projectId: row.project_id,
    userId: null,
    scope: 'Alert',
    itemId: row.id,
    activity: event === 'alert.firing' ? 'fired' : 'resolved',
    name: row.name,
  })
}
