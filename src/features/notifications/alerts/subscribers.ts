import type { Caller } from '#server/access/guard.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { doesNotExist } from '#server/errors.ts'
import { listUsersWithAccess } from '#server/features/accounts/members/store.ts'
import type { User } from '#server/features/accounts/users/schema.ts'
import type { Target } from '../deliveries/schema.ts'
import { requireMailConfigured, type TargetPolicy, targetAddress } from '../deliveries/targets.ts'
import { toReferencedId } from './rules.ts'
import type { AlertPatch } from './schema.ts'
import type { AlertRow } from './store.ts'

const ATTR = 'subscribed_users'

/** Requires users with access to the project; others are unknown to the caller. */
export async function requireSubscribers(
  db: Db,
  { projectId }: Caller,
  policy: TargetPolicy,
  references: AlertPatch['subscribed_users'] = [],
): Promise<number[]> {
  if (references.length === 0) return []
  requireMailConfigured(policy, ATTR)
  const ids = [...new Set(references.map(toReferencedId))].toSorted((a, b) => a - b)
  const users = await listUsersWithAccess(db, projectId, ids)
  const unknown = ids.find((id) => !users.some((user) => user.id === id))
  if (unknown !== undefined) throw doesNotExist(ATTR, unknown)
  return ids
}

/** Finds a lookup of the users that alerts of one project notify. A user who lost access is not notified. */
export async function findSubscribers(
  db: Db,
  alerts: readonly AlertRow[],
): Promise<(alert: AlertRow) => User[]> {
  const ids = new Set(alerts.flatMap(toSubscriberIds))
  const [first] = alerts
  const users = first ? await listUsersWithAccess(db, first.project_id, [...ids]) : []
  return (alert) => users.filter(({ id }) => toSubscriberIds(alert).includes(id))
}

/** Lists the targets of an alert and the addresses of its subscribed users, each address once. */
export async function listRecipients(tx: Tx, alert: AlertRow): Promise<Target[]> {
  const targets: Target[] = JSON.parse(alert.targets)
  const subscribers = (await findSubscribers(tx, [alert]))(alert)
  const known = new Set(targets.map(targetAddress))
  const added = subscribers.filter(({ email }) => !known.has(email))
  return [...targets, ...added.map(({ email }) => ({ type: 'email' as const, address: email }))]
}

const toSubscriberIds = ({ subscribed_users }: AlertRow): number[] => JSON.parse(subscribed_users)
