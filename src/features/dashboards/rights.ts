import { CAN_EDIT, CAN_VIEW, EVERYONE_CAN_EDIT, type Level } from '#model/levels.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import type { Flag } from '#server/db/values.ts'
import { forbidden } from '#server/errors.ts'

/** A member of the organization. */
export interface MemberLevel {
  readonly userId: number
  /** The level in the organization. */
  readonly level: number
  /** Whether they may only view the project, also what they created as a member. */
  readonly isViewer: boolean
}

/** The columns that decide who can edit a dashboard. */
export interface DashboardAccess {
  readonly created_by: number | null
  readonly restriction_level: number
  /** The member's level as a collaborator, if they are one. */
  readonly collaborator_level: number | null
}

/** The creator and admins can always edit, and only they can restrict a dashboard. */
export const canRestrict = (member: MemberLevel, dashboard: DashboardAccess): boolean =>
  (dashboard.created_by === member.userId && !member.isViewer) || member.level >= ADMIN_LEVEL

export function effectiveDashboardPrivilege(
  member: MemberLevel,
  dashboard: DashboardAccess,
): Level {
  if (member.isViewer) return CAN_VIEW
  if (dashboard.restriction_level === EVERYONE_CAN_EDIT) return CAN_EDIT
  if (canRestrict(member, dashboard)) return CAN_EDIT
  return dashboard.collaborator_level === CAN_EDIT ? CAN_EDIT : CAN_VIEW
}

export const canEdit = (member: MemberLevel, dashboard: DashboardAccess): boolean =>
  effectiveDashboardPrivilege(member, dashboard) === CAN_EDIT

export function requireEdit(member: MemberLevel, dashboard: DashboardAccess): void {
  if (canEdit(member, dashboard)) return
  throw forbidden("You don't have edit permissions for this dashboard.")
}

/** Call it even if the level sent is the current one: a caller without the right must not send it. */
export function requireRestrict(member: MemberLevel, dashboard: DashboardAccess): void {
  if (canRestrict(member, dashboard)) return
  throw forbidden(
    "Only the dashboard owner and project admins have the restriction rights required to change the dashboard's restriction level.",
  )
}

/** Viewers do not see the trash: what was put there is no longer published. */
export const isHidden = (
  { isViewer }: Pick<MemberLevel, 'isViewer'>,
  { deleted }: { readonly deleted: Flag },
): boolean => isViewer && deleted === 1

export function requireTrashSeen(
  { isViewer }: Pick<MemberLevel, 'isViewer'>,
  listsTrash: boolean | undefined,
): void {
  if (isViewer && listsTrash) throw forbidden('Viewers do not see the trash.')
}
