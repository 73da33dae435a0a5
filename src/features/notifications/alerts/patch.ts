import { json, now } from '#server/db/values.ts'
import type { Target } from '../deliveries/schema.ts'
import { alertResource } from './fields.ts'
import { toReferencedId, toSnoozedUntil } from './rules.ts'
import type { AlertPatch } from './schema.ts'
import type { AlertRow } from './store.ts'

type Columns = Partial<AlertRow>

/** Returns the columns that were sent and those that follow from them. */
export function toPatchedColumns(
  before: AlertRow,
  body: AlertPatch,
  targets: readonly Target[] | undefined,
  subscribers: readonly number[] | undefined,
): Columns {
  const sent: Columns = {
    ...(body.insight && { insight_id: toReferencedId(body.insight) }),
    ...alertResource.toColumns({
      ...body,
      on: body.on ?? undefined,
      targets,
      subscribed_users: subscribers,
      snoozed_until: undefined,
    }),
  }
  return {
    ...sent,
    ...dueColumns(before, sent),
    ...snoozeColumns(before, body.snoozed_until),
    ...disableColumns(before, sent),
    ...watchedColumns(before, sent),
  }
}

/** Makes the alert due at once if its check or its times change, even for a result that was checked before. */
function dueColumns(before: AlertRow, sent: Columns): Columns {
  const what = ['insight_id', 'condition', 'threshold', 'config', 'enabled'] as const
  const checked = [...what, 'calculation_interval', 'skip_weekend'] as const
  const isChanged = checked.some((name) => name in sent && sent[name] !== before[name])
  return isChanged ? { next_check_at: now(), measured_at: '' } : {}
}

function snoozeColumns(before: AlertRow, snooze: string | null | undefined): Columns {
  if (snooze === undefined) return {}
  const snoozed_until = toSnoozedUntil(snooze)
  if (snoozed_until === before.snoozed_until) return {}
  if (snoozed_until !== null && snoozed_until > now()) {
    return { snoozed_until, state: 'Snoozed', next_check_at: snoozed_until }
  }
  const awakeState = before.is_told ? 'Firing' : 'Not firing'
  const state = before.state === 'Snoozed' ? awakeState : before.state
  return { snoozed_until: null, state, next_check_at: now() }
}

/** A disabled alert stops firing without a notification. */
function disableColumns(before: AlertRow, { enabled }: Columns): Columns {
  return enabled === 0 && before.enabled === 1
    ? { state: 'Not firing', is_told: 0, incidents: '{}' }
    : {}
}

/** Forgets the incidents that an alert on an import no longer watches, without a notification. */
function watchedColumns(before: AlertRow, { watches }: Columns): Columns {
  if (!watches || watches === before.watches) return {}
  const kept = Object.entries(JSON.parse(before.incidents)).filter(([, kind]) =>
    JSON.parse(watches).includes(kind),
  )
  return { incidents: json(Object.fromEntries(kept)), next_check_at: now() }
}
