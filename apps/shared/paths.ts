/** Returns the value at a path such as `data.results` or `data.-1.id`. A key that equals the whole path wins. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value
  if (has(value, path)) return value[path]
  return path.split('.').reduce(step, value)
}

function step(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^-?\d+$/.test(key) ? value.at(Number(key)) : undefined
  return has(value, key) ? value[key] : undefined
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const has = (value: unknown, key: string): value is Record<string, unknown> =>
  isRecord(value) && Object.hasOwn(value, key)

export function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && isDeeper(inner, levels - 1)) return true
  }
  return false
}
