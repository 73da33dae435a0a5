/** Counts the reads of a cache since the start. */
export interface CacheReads {
  hits: number
  misses: number
}
