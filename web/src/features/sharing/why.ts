import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { ROLE_NAMES } from '../../api/session.ts'
import type { Member } from './api.ts'

const ADMIN = 8

interface DefaultEditor {
  readonly user: Member['user']
  readonly reason: string
}

/** Lists the people who can edit without an invitation: the creator and admins. */
export function listDefaultEditors(
  { created_by }: Pick<Dashboard, 'created_by'>,
  members: readonly Member[],
): DefaultEditor[] {
  const creator = created_by ? [{ user: created_by, reason: 'Created this dashboard' }] : []
  const admins = members
    .filter(({ user, level }) => level >= ADMIN && user.id !== created_by?.id)
    .map(({ user, level }) => ({
      user,
      reason: `Organization ${(ROLE_NAMES[level] ?? 'Admin').toLowerCase()}`,
    }))
  return [...creator, ...admins]
}
