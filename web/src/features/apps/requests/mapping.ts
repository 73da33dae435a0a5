import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { storedSettings } from '../settings-form/setting-rules.ts'

/** The ID of the built-in app Webhook, whose settings say which value becomes what. */
const WEBHOOK = 5

export const isWebhook = ({ plugin }: PipelineConfig): boolean => plugin === WEBHOOK

/** The settings of the app Webhook that hold paths. */
export type Role = 'event' | 'distinct_id' | 'timestamp' | 'properties'

export const ROLES: readonly {
  readonly role: Role
  readonly name: string
  readonly action: string
  /** Says what happens without a path. */
  readonly unset: string
}[] = [
  { role: 'event', name: 'Event', action: 'Use as event', unset: 'webhook' },
  { role: 'distinct_id', name: 'Person', action: 'Use as person', unset: 'webhook' },
  { role: 'timestamp', name: 'Time', action: 'Use as time', unset: 'when it arrived' },
  { role: 'properties', name: 'Properties', action: 'Keep as property', unset: 'all values' },
]

export type Mapping = Readonly<Record<Role, readonly string[]>> & {
  /** The path of the list of items, or an empty string. */
  readonly list: string
}

/** The event's name if no setting says another. */
const DEFAULT_EVENT = 'webhook'

export function toMapping(config: PipelineConfig): Mapping {
  const stored = storedSettings(config)
  const text = (key: string) => String(stored[key] ?? '').trim()
  const one = (key: string) => (text(key) === '' ? [] : [text(key)])
  return {
    list: text('list'),
    event: one('event').filter((name) => name !== DEFAULT_EVENT),
    distinct_id: one('distinct_id'),
    timestamp: one('timestamp'),
    properties: text('properties')
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== ''),
  }
}

/** Returns the settings that use the value at a path. */
export const toUse = ({ properties }: Mapping, role: Role, path: string) => ({
  [role]: role === 'properties' ? [...new Set([...properties, path])].join(', ') : path,
})

/** Returns the settings that no longer use the value at a path. */
export function toRemoval({ properties }: Mapping, role: Role, path: string) {
  if (role === 'event') return { event: DEFAULT_EVENT }
  const rest = role === 'properties' ? properties.filter((each) => each !== path) : []
  return { [role]: rest.length === 0 ? null : rest.join(', ') }
}

/** Lists the roles that a value can have. A path with a comma cannot be one of several. */
export function toRoles(value: unknown, path: string): readonly Role[] {
  const isName = typeof value === 'string' || typeof value === 'number'
  return [
    ...(isName ? (['event', 'distinct_id', 'timestamp'] as const) : []),
    ...(path.includes(',') ? [] : (['properties'] as const)),
  ]
}

/**
 * Returns the path of a value as the app reads it, from the item that becomes an event; undefined if no path leads
 * there. `keys` lead to the value from the top of the content.
 */
export function toItemPath(
  content: unknown,
  list: string,
  keys: readonly string[],
): string | undefined {
  const before = list === '' ? [] : list.split('.')
  if (before.some((key, index) => keys[index] !== key)) return undefined
  const items = before.reduce(step, content)
  const path = keys.slice(before.length + (Array.isArray(items) ? 1 : 0))
  const isReadable = path.every((key) => key !== '' && key === key.trim())
  const hasDots = path.length > 1 && path.some((key) => key.includes('.'))
  return path.length > 0 && isReadable && !hasDots ? path.join('.') : undefined
}

const step = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined
