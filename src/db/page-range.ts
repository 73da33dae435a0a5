/** The part of a list that a page shows. */
export interface PageRange {
  readonly limit: number
  readonly offset: number
}

/** One page of a list, and the length of the whole list. */
export interface Slice<T> {
  readonly count: number
  readonly results: T[]
}
