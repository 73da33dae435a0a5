import type { Scope } from '#server/access/scopes.ts'

type Thing = Scope extends `${infer Name}:${string}` ? Name : never

interface Explained {
  readonly thing: Thing
  readonly name: string
  readonly read?: string
  readonly write?: string
}

/** Each scope in plain words. A new one that is missing here does not compile: see `COVERED`. */
export const THINGS = [
  {
    thing: 'dashboard',
    name: 'Dashboards',
    read: 'See dashboards and their numbers',
    write: 'Make, change and delete dashboards',
  },
  {
    thing: 'insight',
    name: 'Insights',
    read: 'See insights and their numbers',
    write: 'Make, change and delete insights',
  },
  { thing: 'query', name: 'Queries and events', read: 'Ask any question, and list events' },
  {
    thing: 'plugin',
    name: 'Import apps',
    read: 'See import apps, their runs and logs',
    write: 'Set up and run import apps',
  },
  {
    thing: 'alert',
    name: 'Alerts and subscriptions',
    read: 'See them and what was sent',
    write: 'Make and change them, send tests',
  },
  {
    thing: 'sharing_configuration',
    name: 'Public links',
    read: 'See whether a dashboard is shared',
    write: 'Share dashboards with the world',
  },
  {
    thing: 'dashboard_template',
    name: 'Templates',
    read: 'See templates of dashboards',
    write: 'Make and change templates',
  },
  { thing: 'person', name: 'People’s events', write: 'Delete the events of a person, as an admin' },
  { thing: 'project', name: 'Projects', write: 'Make, change and delete projects, as an admin' },
  { thing: 'organization', name: 'Organisation', write: 'Rename the organisation, as an admin' },
  {
    thing: 'organization_member',
    name: 'Members',
    read: 'See who is in the organisation',
    write: 'Invite and remove people and change roles, as an admin',
  },
  {
    thing: 'activity_log',
    name: 'Activity',
    read: 'See who changed what in a project',
  },
  {
    thing: 'personal_api_key',
    name: 'API keys',
    read: 'See your keys, without their values',
    write: 'Make, roll and revoke your keys, none stronger than itself',
  },
] as const satisfies readonly Explained[]

type Covered = (typeof THINGS)[number]
type CoveredScope =
  | `${Extract<Covered, { read: string }>['thing']}:read`
  | `${Extract<Covered, { write: string }>['thing']}:write`

/** `never` unless every scope is explained. */
export const COVERED: [Scope] extends [CoveredScope] ? true : never = true

export const EVERYTHING = '*'

export interface Preset {
  readonly name: string
  readonly scopes: readonly string[]
}

export const PRESETS: readonly Preset[] = [
  { name: 'Read dashboards', scopes: ['dashboard:read', 'insight:read'] },
  { name: 'Ask queries', scopes: ['query:read', 'insight:read'] },
  { name: 'Run import apps', scopes: ['plugin:write'] },
  { name: 'Build dashboards', scopes: ['dashboard:write', 'insight:write', 'query:read'] },
  { name: 'Everything', scopes: [EVERYTHING] },
]

export type Access = 'none' | 'read' | 'write'

export function accessTo(scopes: readonly string[], thing: string): Access {
  if (scopes.includes(`${thing}:write`)) return 'write'
  return scopes.includes(`${thing}:read`) ? 'read' : 'none'
}

export const withAccess = (scopes: readonly string[], thing: string, access: Access): string[] => [
  ...scopes.filter((scope) => scope !== EVERYTHING && !scope.startsWith(`${thing}:`)),
  ...(access === 'none' ? [] : [`${thing}:${access}`]),
]

/** "Reads dashboards, insights; changes import apps". */
export function inWords(scopes: readonly string[]): string {
  if (scopes.includes(EVERYTHING)) return 'May do everything you may'
  const having = (access: Access) =>
    THINGS.filter(({ thing }) => accessTo(scopes, thing) === access).map(({ name }) =>
      name.toLowerCase(),
    )
  const [reads, writes] = [having('read'), having('write')]
  const parts = [
    ...(writes.length > 0 ? [`changes ${writes.join(', ')}`] : []),
    ...(reads.length > 0 ? [`reads ${reads.join(', ')}`] : []),
  ]
  const text = parts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
