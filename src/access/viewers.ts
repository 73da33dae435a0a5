import { forbidden } from '../errors.ts'
import { ADMIN_LEVEL, type Principal } from './keys.ts'
import { grantsScope, type Scope } from './scopes.ts'

/** The openness of a route to viewers of a project: always, or if the project lets them export. */
export type OpenToViewers = true | 'if exports are allowed'

/** The rights of someone who may only view a project. */
export interface ViewerRights {
  readonly canExport: boolean
}

/**
 * The scopes that a viewer can use in a project, whatever the key grants. Routes are closed to viewers unless they declare
 * otherwise; this also binds what an open route does with scopes, such as running a query of the caller's own.
 */
const VIEWER_SCOPES = [
  'dashboard:read',
  'insight:read',
  'annotation:read',
  'comment:read',
  'comment:write',
  'organization_member:read',
] as const satisfies readonly Scope[]

export const toViewerScopes = (scopes: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(VIEWER_SCOPES.filter((scope) => grantsScope(scopes, scope)))

const NO_EXPORTS: ViewerRights = { canExport: false }

/**
 * Returns the rights of a caller who may only view the project. Outside projects, this holds for those who are a member
 * of none: what the organization has, such as its apps, belongs to the work in projects.
 */
export function findViewerRights(
  { level, memberOf, viewerOf }: Principal,
  projectId: number | undefined,
): ViewerRights | undefined {
  if (level >= ADMIN_LEVEL) return undefined
  if (projectId !== undefined) return viewerOf.get(projectId)
  return viewerOf.size === memberOf.size ? NO_EXPORTS : undefined
}

export const isOpenToViewers = (
  { canExport }: ViewerRights,
  openToViewers: OpenToViewers | undefined,
): boolean => openToViewers === true || (openToViewers !== undefined && canExport)

/** Refuses viewers on every route that does not declare that it is open to them. */
export function requireOpenToViewers(
  rights: ViewerRights,
  openToViewers: OpenToViewers | undefined,
): void {
  if (isOpenToViewers(rights, openToViewers)) return
  if (openToViewers === undefined) throw viewersCannot()
  throw forbidden(
    'Viewers cannot export from this project. Ask an admin to allow it in the project settings.',
  )
}

export const viewersCannot = () =>
  forbidden('Viewers cannot do this. Ask an admin to make you a member of the project.')
