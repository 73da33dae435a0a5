import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { ROLE_NAMES } from '../../api/session.ts'
import type { Member } from './api.ts'

const ADMIN = 8

interface DefaultEditor {
  readonly user: Member['user']
  readonly why: string
}

/** Those who can edit without an invitation, however the dashboard is restricted. */
export function listDefaultEditors(
  { created_by }: Pick<Dashboard, 'created_by'>,
  members: readonly Member[],
): DefaultEditor[] {
  const maker = created_by ? [{ user: created_by, why: 'Made this dashboard' }] : []
  const admins = members
    .filter(({ user, level }) => level >= ADMIN && user.id !== created_by?.id)
    .map(({ user, level }) => ({
      user,
      why: `${ROLE_NAMES[level] ?? 'Admin'} of the organisation`,
    }))
  return [...maker, ...admins]
}
