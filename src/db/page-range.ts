/** Which part of a list is asked for. */
export interface PageRange {
  readonly limit: number
  readonly offset: number
}

/** That part, and how long the whole list is. */
export interface Slice<T> {
  readonly count: number
  readonly results: T[]
}
