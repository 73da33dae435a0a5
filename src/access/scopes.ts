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
  'person:write',
  'project:write',
  'organization:write',
  'organization_member:read',
  'organization_member:write',
  'personal_api_key:read',
  'personal_api_key:write',
] as const

export type Scope = (typeof SCOPES)[number]

/** What a key may hold. */
export type KeyScope = Scope | '*'

/**
 * What a route may ask for: a scope, any valid key, nothing at all, or the whole account, which somebody who is
 * signed in has, and a key that is limited in nothing.
 */
export type RouteScope = Scope | 'key' | 'public' | 'account'

export const isKeyScope = (text: string): text is KeyScope =>
  text === '*' || SCOPES.some((scope) => scope === text)

/** Writing implies reading. */
export const grantsScope = (held: ReadonlySet<string>, wanted: Scope): boolean =>
  held.has('*') || held.has(wanted) || held.has(wanted.replace(/:read$/, ':write'))
