import { type Component, isComponent, unsupported } from './component.ts'

/** The names that the texts of a stream can use. */
export interface Scope {
  /** The keys of the settings. */
  readonly settings: ReadonlySet<string>
  /** The places of the values of partitions and records above, such as `partition.region`, by name. */
  readonly slices: Readonly<Record<string, string>>
}

export const NO_SLICES: Scope['slices'] = {}

const EXPRESSION = /\{\{([\s\S]*?)\}\}/g
/** `config['a']['b']`, `config.a.b` and `config.get('a')`. */
const REFERENCE = /^([a-z_]+)((?:\.get\((?:'[^']*'|"[^"]*")\)|\.\w+|\[(?:'[^']*'|"[^"]*")\])*)$/
const STEP = /\.get\((?:'([^']*)'|"([^"]*)")\)|\.(\w+)|\[(?:'([^']*)'|"([^"]*)")\]/g

export interface Reference {
  readonly name: string
  readonly path: readonly string[]
}

/** Parses the name of a value, or returns undefined for any other expression. */
export function parseReference(expression: string): Reference | undefined {
  const [, name, steps = ''] = REFERENCE.exec(expression.trim()) ?? []
  if (name === undefined) return undefined
  const path = [...steps.matchAll(STEP)].map((step) =>
    step.slice(1).find((key) => key !== undefined),
  )
  return { name, path: path as string[] }
}

/** Names the setting of a key. Keys within others are joined. */
export const toSettingKey = (path: readonly string[]): string =>
  path.join('_').replace(/[^\w-]/g, '_')

/** Translates a text: `{{ config['shop'] }}` to `{{shop}}`. */
export function toText(value: unknown, part: Component, at: string, scope: Scope): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') throw unsupported(at, 'is no text')
  if (value.includes('{%') || value.includes('{#')) throw unsupported(at, `"${value}" is code`)
  return value.replace(EXPRESSION, (_, expression: string) =>
    toPlaceholder(expression, part, at, scope),
  )
}

function toPlaceholder(expression: string, part: Component, at: string, scope: Scope): string {
  const text = expression.trim()
  const [, literal] =
    /^(?:'([^'\\]*)'|"([^"\\]*)")$/.exec(text)?.filter((one) => one !== undefined) ?? []
  if (literal !== undefined) return literal
  const reference = parseReference(text)
  if (reference?.name === 'parameters') return toParameter(reference, part, at)
  if (reference?.name === 'config') return `{{${requireSetting(reference, at, scope)}}}`
  if (reference && /^stream_(partition|slice)$/.test(reference.name)) {
    const [key = ''] = reference.path[0] === 'partition' ? reference.path.slice(1) : reference.path
    const place = Object.hasOwn(scope.slices, key) ? scope.slices[key] : undefined
    if (place !== undefined) return `{{${place}}}`
  }
  throw unsupported(at, `"{{ ${text} }}" is not supported`)
}

function toParameter({ path }: Reference, { $parameters }: Component, at: string): string {
  const value = path.reduce<unknown>(
    (found, key) => (isComponent(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    $parameters,
  )
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw unsupported(at, `the parameter "${path.join('.')}" is missing`)
}

function requireSetting({ path }: Reference, at: string, { settings }: Scope): string {
  const key = toSettingKey(path)
  if (settings.has(key)) return key
  throw unsupported(at, `names config "${path.join('.')}", which the spec lacks`)
}

/** Returns the setting that a text is, or undefined if it is more than one. */
export function findSetting(
  value: unknown,
  part: Component,
  at: string,
  scope: Scope,
): string | undefined {
  const text = toText(value, part, at, scope).trim()
  const [, key] = /^\{\{([\w-]+)\}\}$/.exec(text) ?? []
  return key
}

export function toSetting(value: unknown, part: Component, at: string, scope: Scope): string {
  const key = findSetting(value, part, at, scope)
  if (key !== undefined) return key
  throw unsupported(at, `"${String(value)}" must be one value of config`)
}
