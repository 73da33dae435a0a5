import { flag, json, now } from '#server/db/values.ts'
import type { Target } from '../deliveries/schema.ts'
import { requireTime } from './rules.ts'
import type { AlertPatch } from './schema.ts'
import type { AlertRow } from './store.ts'

type Columns = Partial<AlertRow>

/** What a patch makes of an alert: what was sent, and what follows from it. Only what is said is in there. */
export function toPatchedColumns(
  before: AlertRow,
  body: AlertPatch,
  targets: readonly Target[] | undefined,
): Columns {
  const sent: Columns = {
    ...(body.insight !== undefined && { insight_id: body.insight }),
    ...(body.name !== undefined && { name: body.name }),
    ...(body.enabled !== undefined && { enabled: flag(body.enabled) }),
    ...(body.condition && { condition: json(body.condition) }),
    ...(body.threshold && { threshold: json(body.threshold) }),
    ...(body.config && { config: json(body.config) }),
    ...(targets && { targets: json(targets) }),
    ...(body.calculation_interval && { calculation_interval: body.calculation_interval }),
  }
  return {
    ...sent,
    ...dueAgain(before, sent),
    ...snoozing(before, body.snoozed_until),
    ...silenced(before, sent),
  }
}

/** Whatever changes what is checked makes it due at once, whichever result it was checked against. */
function dueAgain(before: AlertRow, sent: Columns): Columns {
  const watched = ['insight_id', 'condition', 'threshold', 'config', 'enabled'] as const
  const isChanged = watched.some((name) => name in sent && sent[name] !== before[name])
  return isChanged ? { next_check_at: now(), measured_at: '' } : {}
}

function snoozing(before: AlertRow, asked: string | null | undefined): Columns {
  if (asked === undefined) return {}
  const snoozed_until = asked === null ? null : requireTime('snoozed_until', asked)
  if (snoozed_until === before.snoozed_until) return {}
  if (snoozed_until !== null && snoozed_until > now()) {
    return { snoozed_until, state: 'Snoozed', next_check_at: snoozed_until }
  }
  const awake = before.is_told ? 'Firing' : 'Not firing'
  const state = before.state === 'Snoozed' ? awake : before.state
  return { snoozed_until: null, state, next_check_at: now() }
}

/** What is switched off fires for nobody, and says so to nobody. */
function silenced(before: AlertRow, { enabled }: Columns): Columns {
  return enabled === 0 && before.enabled === 1 ? { state: 'Not firing', is_told: 0 } : {}
}
