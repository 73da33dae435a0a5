import { CAN_EDIT, CAN_VIEW, EVERYONE_CAN_EDIT, type Level } from '#model/levels.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'

export interface Member {
  readonly userId: number
  /** In the organisation. */
  readonly level: number
}

/** What rights on a dashboard depend on. */
export interface DashboardAccess {
  readonly created_by: number | null
  readonly restriction_level: number
  /** Of the person asking, if they are a collaborator. */
  readonly collaborator_level: number | null
}

/** Its maker and admins may always edit, and alone may say who else may. */
export const canRestrict = (person: Member, dashboard: DashboardAccess): boolean =>
  dashboard.created_by === person.userId || person.level >= ADMIN_LEVEL

export function effectiveDashboardPrivilege(person: Member, dashboard: DashboardAccess): Level {
  if (dashboard.restriction_level === EVERYONE_CAN_EDIT || canRestrict(person, dashboard))
    return CAN_EDIT
  return dashboard.collaborator_level === CAN_EDIT ? CAN_EDIT : CAN_VIEW
}

export const canEdit = (person: Member, dashboard: DashboardAccess): boolean =>
  effectiveDashboardPrivilege(person, dashboard) === CAN_EDIT
