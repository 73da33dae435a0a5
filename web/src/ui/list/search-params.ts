/** Unvalidated search parameters of the URL. */
export type SearchParams = Readonly<Record<string, unknown>>

export const parseText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Also accepts numbers: the router parses `?user=3` as one. */
export const parseTextOrNumber = (value: unknown): string | undefined =>
  parseText(typeof value === 'number' ? String(value) : value)

/** Tells whether any filter is set. */
export const hasFilters = (search: object): boolean =>
  Object.values(search).some((value) => value !== undefined)

/** Accepts one text or a list; undefined if there is none. */
export function parseTexts(value: unknown): readonly string[] | undefined {
  const texts = [value].flat().flatMap((one) => parseText(one) ?? [])
  return texts.length > 0 ? [...new Set(texts)] : undefined
}

export const parseOneOf = <T extends string>(known: readonly T[], value: unknown): T | undefined =>
  known.find((one) => one === value)

export const parsePositive = (value: unknown): number | undefined =>
  Number(value) > 0 ? Number(value) : undefined

/** Accepts `?kiosk` and `?kiosk=true`. */
export const parseFlag = (value: unknown): true | undefined =>
  value === true || value === '' || value === 'true' ? true : undefined

/** Query parameters of a list. */
export interface ListSearch<View extends string, Sort extends string> {
  readonly search?: string
  readonly tags?: readonly string[]
  /** Default: everything outside the trash. */
  readonly view?: View
  readonly sort?: Sort
}

/** Reads the parameters of a list with these views and sorts. */
export const parseListSearch = <View extends string, Sort extends string>(
  views: readonly View[],
  sorts: readonly Sort[],
  search: SearchParams,
): ListSearch<View, Sort> => ({
  search: parseText(search.search),
  tags: parseTexts(search.tags),
  view: parseOneOf(views, search.view),
  sort: parseOneOf(sorts, search.sort),
})
