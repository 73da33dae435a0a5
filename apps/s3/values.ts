export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** Converts what a Parquet file holds to what an event can hold. */
export function toJson(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (typeof value === 'bigint') {
    const number = Number(value)
    // a large ID must not lose its last digits
    return Number.isSafeInteger(number) ? number : String(value)
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as number[], toJson)
  if (Array.isArray(value)) return value.map(toJson)
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [name, toJson(inner)]),
  )
}
