/** What stands behind the `?` of an address, each to be checked before use. */
export type Search = Readonly<Record<string, unknown>>

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const positiveOf = (value: unknown): number | undefined =>
  Number(value) > 0 ? Number(value) : undefined

/** `?kiosk` and `?kiosk=true`. */
export const flagOf = (value: unknown): true | undefined =>
  value === true || value === '' || value === 'true' ? true : undefined
