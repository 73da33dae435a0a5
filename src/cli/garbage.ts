import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Smaller heaps are not collected: a third of this is the young generation, which V8 never releases. */
const SMALL_HEAP = 110 * 1024 * 1024
/** The allowed growth relative to the memory in use after the last collection. */
const GROWTH = 2.5
const CHECK_INTERVAL_MS = 500
const START_UP_DELAY_MS = 1000

function findCollector(): (options: object) => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

/**
 * Collects the garbage of loading and compiling: half of the heap, 30 MB, which V8 would keep while the server is idle.
 * Collecting takes 100 ms, so it waits until the first requests have been served.
 */
export function collectStartUpGarbage(): void {
  const collect = findCollector()
  const options = { type: 'major', execution: 'sync', flavor: 'last-resort' }
  setTimeout(() => collect(options), START_UP_DELAY_MS).unref()
}

/**
 * Collects garbage when the heap and the buffers outside it have grown. V8 lets a heap grow in proportion to the
 * machine's memory: after an import of a million events the heap had 250 MB, of which 35 were in use. It keeps 64 MB of
 * buffers that nobody uses: while events were sent to ClickHouse, the server had 249 MB instead of 235. A collection
 * takes 30 to 40 ms.
 */
export function keepHeapSmall(): void {
  const collect = findCollector()
  let limit = SMALL_HEAP
  const check = () => {
    const { total_heap_size, external_memory } = getHeapStatistics()
    if (total_heap_size + external_memory < limit) return
    collect({ type: 'major', execution: 'sync' })
    const after = getHeapStatistics()
    limit = Math.max(SMALL_HEAP, (after.used_heap_size + after.external_memory) * GROWTH)
  }
  setInterval(check, CHECK_INTERVAL_MS).unref()
}
