/** Unvalidated search parameters of the URL. */
export type Search = Readonly<Record<string, unknown>>

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Also accepts numbers: the router parses `?user=3` as one. */
export const wordOf = (value: unknown): string | undefined =>
  textOf(typeof value === 'number' ? String(value) : value)

/** Tells whether any filter is set. */
export const isFiltered = (search: object): boolean =>
  Object.values(search).some((value) => value !== undefined)

/** Accepts one text or a list; undefined if there is none. */
export function textsOf(value: unknown): readonly string[] | undefined {
  const texts = [value].flat().flatMap((one) => textOf(one) ?? [])
  return texts.length > 0 ? [...new Set(texts)] : undefined
}

export const oneOf = <T extends string>(known: readonly T[], value: unknown): T | undefined =>
  known.find((one) => one === value)

export const positiveOf = (value: unknown): number | undefined =>
  Number(value) > 0 ? Number(value) : undefined

/** Accepts `?kiosk` and `?kiosk=true`. */
export const flagOf = (value: unknown): true | undefined =>
  value === true || value === '' || value === 'true' ? true : undefined
