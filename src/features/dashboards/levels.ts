import { ADMIN_LEVEL } from '../../access/keys.ts'

/** Restriction is a property of a dashboard, privilege one of a person on it. Both use these numbers. */
export const OPEN = 21
export const RESTRICTED = 37
export const CAN_VIEW = 21
export const CAN_EDIT = 37

export type Level = 21 | 37

export interface Person {
  readonly userId: number
  /** In the organisation. */
  readonly level: number
}

/** What rights on a dashboard depend on. */
export interface Ruled {
  readonly created_by: number | null
  readonly restriction_level: number
  /** Of the person asking, if they are a collaborator. */
  readonly collaborator_level: number | null
}

/** Its maker and admins may always edit, and alone may say who else may. */
export const canRestrict = (person: Person, dashboard: Ruled): boolean =>
  dashboard.created_by === person.userId || person.level >= ADMIN_LEVEL

export function effectivePrivilege(person: Person, dashboard: Ruled): Level {
  if (dashboard.restriction_level === OPEN || canRestrict(person, dashboard)) return CAN_EDIT
  return dashboard.collaborator_level === CAN_EDIT ? CAN_EDIT : CAN_VIEW
}

export const canEdit = (person: Person, dashboard: Ruled): boolean =>
  effectivePrivilege(person, dashboard) === CAN_EDIT
