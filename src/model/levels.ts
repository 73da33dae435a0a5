/** A dashboard's restriction level: who can edit it. */
export const EVERYONE_CAN_EDIT = 21
export const ONLY_COLLABORATORS_CAN_EDIT = 37

/** A person's privilege level on a dashboard. */
export const CAN_VIEW = 21
export const CAN_EDIT = 37

/** Restriction and privilege levels share these two numbers. */
export type Level = 21 | 37

/** The levels of people who were added to a project. Admins and owners of the organization may do everything. */
export const PROJECT_LEVELS = ['member', 'viewer'] as const
export type ProjectLevel = (typeof PROJECT_LEVELS)[number]
