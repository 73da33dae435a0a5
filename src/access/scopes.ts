export const SCOPES = [
  'plugin:read',
  'plugin:write',
  'dashboard:read',
  'dashboard:write',
  'dashboard_template:read',
  'dashboard_template:write',
  'insight:read',
  'insight:write',
  'alert:read',
  'alert:write',
  'sharing_configuration:read',
  'sharing_configuration:write',
  'query:read',
  'activity_log:read',
  'person:read',
  'person:write',
  'cohort:read',
  'cohort:write',
  'action:read',
  'action:write',
  'annotation:read',
  'annotation:write',
  'comment:read',
  'comment:write',
  'saved_view:read',
  'saved_view:write',
  'group:read',
  'group:write',
  'event_definition:read',
  'event_definition:write',
  'property_definition:read',
  'property_definition:write',
  'project:write',
  'organization:write',
  'organization_member:read',
  'organization_member:write',
  'personal_api_key:read',
  'personal_api_key:write',
] as const

export type Scope = (typeof SCOPES)[number]

/** A scope of a key. `*` grants every scope. */
export type KeyScope = Scope | '*'

/** A route's requirement: a scope, any valid key, nothing, or the whole account, which a session or an unlimited key grants. */
export type RouteScope = Scope | 'key' | 'public' | 'account'

export const isKeyScope = (text: string): text is KeyScope =>
  text === '*' || SCOPES.some((scope) => scope === text)

/** Writing implies reading. */
export const grantsScope = (scopes: ReadonlySet<string>, required: Scope): boolean =>
  scopes.has('*') || scopes.has(required) || scopes.has(required.replace(/:read$/, ':write'))
