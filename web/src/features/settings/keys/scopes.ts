import type { Scope } from '#server/access/scopes.ts'

type Resource = Scope extends `${infer Name}:${string}` ? Name : never

interface ScopeDescription {
  readonly resource: Resource
  readonly name: string
  readonly read?: string
  readonly write?: string
}

/** Describes each scope. A missing scope fails to compile: see `COVERED`. */
export const RESOURCES = [
  {
    resource: 'dashboard',
    name: 'Dashboards',
    read: 'View dashboards and results',
    write: 'Create, edit and delete dashboards',
  },
  {
    resource: 'insight',
    name: 'Insights',
    read: 'View insights and results',
    write: 'Create, edit and delete insights',
  },
  { resource: 'query', name: 'Queries and events', read: 'Run queries and list events' },
  {
    resource: 'plugin',
    name: 'Import apps',
    read: 'View import apps, runs and logs',
    write: 'Configure and run import apps',
  },
  {
    resource: 'alert',
    name: 'Alerts and subscriptions',
    read: 'View alerts, subscriptions and deliveries',
    write: 'Create and edit alerts and subscriptions',
  },
  {
    resource: 'sharing_configuration',
    name: 'Public links',
    read: 'View sharing settings',
    write: 'Share dashboards publicly',
  },
  {
    resource: 'dashboard_template',
    name: 'Templates',
    read: 'View dashboard templates',
    write: 'Create and edit templates',
  },
  {
    resource: 'person',
    name: 'Persons',
    read: 'View persons and their properties',
    write: 'Edit and split persons, delete them (admins only)',
  },
  {
    resource: 'cohort',
    name: 'Cohorts',
    read: 'View cohorts',
    write: 'Create, edit and delete cohorts',
  },
  {
    resource: 'action',
    name: 'Actions',
    read: 'View actions',
    write: 'Create, edit and delete actions',
  },
  {
    resource: 'saved_view',
    name: 'Saved views',
    read: 'View saved views',
    write: 'Create, edit and delete saved views',
  },
  {
    resource: 'annotation',
    name: 'Annotations',
    read: 'View annotations',
    write: 'Create, edit and delete annotations',
  },
  {
    resource: 'comment',
    name: 'Comments',
    read: 'View comments',
    write: 'Write, edit and resolve comments',
  },
  {
    resource: 'group',
    name: 'Groups',
    read: 'View groups and their properties',
    write: 'Create and edit groups, name their types',
  },
  {
    resource: 'event_definition',
    name: 'Event definitions',
    read: 'View single event definitions',
    write: 'Describe, verify and hide events',
  },
  {
    resource: 'property_definition',
    name: 'Property definitions',
    read: 'View single property definitions',
    write: 'Describe, verify and hide properties',
  },
  {
    resource: 'project',
    name: 'Projects',
    write: 'Create, edit and delete projects (admins only)',
  },
  {
    resource: 'organization',
    name: 'Organization',
    write: 'Rename the organization (admins only)',
  },
  {
    resource: 'organization_member',
    name: 'Members',
    read: 'View members of the organization',
    write: 'Invite, remove and edit members (admins only)',
  },
  {
    resource: 'activity_log',
    name: 'Activity',
    read: 'View activity',
  },
  {
    resource: 'personal_api_key',
    name: 'API keys',
    read: 'View your keys without their values',
    write: 'Create, roll and revoke keys with the same or less access',
  },
] as const satisfies readonly ScopeDescription[]

type Covered = (typeof RESOURCES)[number]
type CoveredScope =
  | `${Extract<Covered, { read: string }>['resource']}:read`
  | `${Extract<Covered, { write: string }>['resource']}:write`

/** `never` unless every scope is described. */
export const COVERED: [Scope] extends [CoveredScope] ? true : never = true

export const FULL_ACCESS = '*'

export interface Preset {
  readonly name: string
  readonly scopes: readonly string[]
}

export const SCOPE_PRESETS: readonly Preset[] = [
  { name: 'Read dashboards', scopes: ['dashboard:read', 'insight:read'] },
  { name: 'Run queries', scopes: ['query:read', 'insight:read'] },
  { name: 'Run import apps', scopes: ['plugin:write'] },
  { name: 'Build dashboards', scopes: ['dashboard:write', 'insight:write', 'query:read'] },
  { name: 'Full access', scopes: [FULL_ACCESS] },
]

export type Access = 'none' | 'read' | 'write'

export function accessTo(scopes: readonly string[], resource: string): Access {
  if (scopes.includes(`${resource}:write`)) return 'write'
  return scopes.includes(`${resource}:read`) ? 'read' : 'none'
}

export const withAccess = (
  scopes: readonly string[],
  resource: string,
  access: Access,
): string[] => [
  ...scopes.filter((scope) => scope !== FULL_ACCESS && !scope.startsWith(`${resource}:`)),
  ...(access === 'none' ? [] : [`${resource}:${access}`]),
]

/** "Edit import apps; read dashboards, insights". */
export function describeScopes(scopes: readonly string[]): string {
  if (scopes.includes(FULL_ACCESS)) return 'Full access'
  const having = (access: Access) =>
    RESOURCES.filter(({ resource }) => accessTo(scopes, resource) === access).map(({ name }) =>
      name.toLowerCase(),
    )
  const [reads, writes] = [having('read'), having('write')]
  const parts = [
    ...(writes.length > 0 ? [`edit ${writes.join(', ')}`] : []),
    ...(reads.length > 0 ? [`read ${reads.join(', ')}`] : []),
  ]
  const text = parts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
