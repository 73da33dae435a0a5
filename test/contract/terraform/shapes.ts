/** The type of a field in the provider's Go code, which refuses a response with another type. */
export type Shape = 'int' | 'float' | 'string' | 'bool' | 'map' | readonly [Shape] | Fields
interface Fields {
  readonly [name: string]: Shape
}

const dashboard = {
  id: 'int',
  name: 'string',
  description: 'string',
  pinned: 'bool',
  tags: ['string'],
  deleted: 'bool',
} as const

const layout = {
  id: 'int',
  tiles: [
    {
      id: 'int',
      insight: { id: 'int' },
      text: { body: 'string' },
      layouts: 'map',
      color: 'string',
      show_description: 'bool',
    },
  ],
} as const

const insight = {
  id: 'int',
  name: 'string',
  derived_name: 'string',
  description: 'string',
  query: 'map',
  tags: ['string'],
  dashboards: ['int'],
  _create_in_folder: 'string',
  deleted: 'bool',
} as const

const alert = {
  id: 'string',
  name: 'string',
  insight: { id: 'int' },
  enabled: 'bool',
  subscribed_users: [{ id: 'int' }],
  threshold: { configuration: { type: 'string', bounds: { lower: 'float', upper: 'float' } } },
  condition: { type: 'string' },
  config: { series_index: 'int', check_ongoing_interval: 'bool' },
  calculation_interval: 'string',
  skip_weekend: 'bool',
} as const

const project = {
  id: 'int',
  name: 'string',
  organization: 'string',
  api_token: 'string',
  timezone: 'string',
} as const

const settings = {
  id: 'int',
  session_recording_opt_in: 'bool',
  heatmaps_opt_in: 'bool',
  cookieless_server_hash_mode: 'int',
  anonymize_ips: 'bool',
  app_urls: ['string'],
  test_account_filters: ['map'],
} as const

const cohort = {
  id: 'int',
  name: 'string',
  description: 'string',
  filters: 'map',
  is_static: 'bool',
  deleted: 'bool',
} as const

const member = {
  id: 'string',
  user: { uuid: 'string', email: 'string', first_name: 'string', is_email_verified: 'bool' },
  level: 'int',
  joined_at: 'string',
} as const

const organization = { id: 'string', slug: 'string', name: 'string' } as const

/** The fields of each resource that the provider reads. */
export const SHAPES = {
  dashboard,
  layout,
  insight,
  alert,
  project,
  settings,
  cohort,
  member,
  members: { results: [member], next: 'string' },
  organizations: { results: [organization], next: 'string' },
  organization,
} satisfies Record<string, Shape>

/** Decodes a response as the provider does: other fields are ignored, and an empty text or list is null. */
export function decode(shape: Shape, value: unknown, path = ''): unknown {
  if (value === null || value === undefined) return null
  if (typeof shape === 'string') {
    if (!isOfType(shape, value)) throw new Error(`${path} is no ${shape}: ${JSON.stringify(value)}`)
    return value === '' ? null : value
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) throw new Error(`${path} is no list`)
    const items = value.map((item, index) => decode(shape[0], item, `${path}[${index}]`))
    return items.length === 0 ? null : items
  }
  if (!isOfType('map', value)) throw new Error(`${path} is no object: ${JSON.stringify(value)}`)
  return Object.fromEntries(
    Object.entries(shape as Fields).map(([name, field]) => [
      name,
      decode(field, (value as Record<string, unknown>)[name], `${path}.${name}`),
    ]),
  )
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'int') return Number.isInteger(value)
  if (type === 'float') return typeof value === 'number'
  if (type === 'bool') return typeof value === 'boolean'
  if (type === 'string') return typeof value === 'string'
  return typeof value === 'object' && !Array.isArray(value)
}
