import { type Component, isComponent, Unsupported } from './component.ts'

const MAX_DEPTH = 60
/** References can make a short text huge. */
const MAX_PARTS = 50_000

/** Puts the parts in place that a manifest refers to, and hands `$parameters` down to the parts below. */
export function resolveManifest(manifest: Component): Component {
  let count = 0

  function resolve(value: unknown, path: readonly string[], depth: number): unknown {
    count += 1
    if (depth > MAX_DEPTH || count > MAX_PARTS) {
      throw new Unsupported(
        `${path.join('.') || 'The manifest'}: refers to itself, or is too large`,
      )
    }
    if (typeof value === 'string' && /^#\/\S+$/.test(value)) {
      return resolve(find(value, path), path, depth + 1)
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => resolve(item, [...path, String(index)], depth + 1))
    }
    if (!isComponent(value)) return value
    const { $ref, ...own } = value
    const resolved = Object.entries(own).map(([key, inner]) => [
      key,
      resolve(inner, [...path, key], depth + 1),
    ])
    const fields = Object.fromEntries(resolved)
    if ($ref === undefined) return fields
    const found = resolve(find(String($ref), path), path, depth + 1)
    return isComponent(found) ? { ...found, ...fields } : found
  }

  function find(reference: string, path: readonly string[]): unknown {
    const keys = reference.replace(/^#\//, '').split('/')
    const found = keys.reduce<unknown>(
      (part, key) =>
        (isComponent(part) || Array.isArray(part)) && Object.hasOwn(part, key)
          ? (part as Component)[key]
          : undefined,
      manifest,
    )
    if (found !== undefined) return found
    throw new Unsupported(`${path.join('.')}: refers to ${reference}, which is not there`)
  }

  const { definitions: _, ...parts } = manifest
  return applyParameters(resolve(parts, [], 0), {}) as Component
}

/** These have no parts, but may have fields of any name. */
const SCHEMAS = ['schema', 'connection_specification']

/** A parameter is the value of a field that a part lacks, and is `parameters` in its texts. */
function applyParameters(value: unknown, above: Component): unknown {
  if (Array.isArray(value)) return value.map((item) => applyParameters(item, above))
  if (!isComponent(value)) return value
  const own = isComponent(value.$parameters) ? value.$parameters : {}
  const parameters = { ...above, ...own }
  const missing = typeof value.type === 'string' ? parameters : {}
  const fields = Object.entries(value)
    .filter(([key]) => key !== '$parameters')
    .map(([key, inner]) => [
      key,
      SCHEMAS.includes(key) ? inner : applyParameters(inner, parameters),
    ])
  return { ...missing, ...Object.fromEntries(fields), $parameters: parameters }
}
