import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Below this there is nothing to gain: a third of it is where new objects are made, which is never given back. */
const SMALL_HEAP = 110 * 1024 * 1024
/** How far the heap may grow beyond what was in use after the last collection. */
const GROWTH = 2.5
const LOOK_EVERY_MS = 500
const START_UP_MS = 1000

function findCollector(): (options: object) => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

/**
 * Loading and compiling leave half of the heap as garbage, 30 MB, which V8 would keep for as long as nothing happens.
 * Collecting it takes 100 ms, so that waits until whoever waited for the start has been served.
 */
export function collectStartUpGarbage(): void {
  const collect = findCollector()
  const options = { type: 'major', execution: 'sync', flavor: 'last-resort' }
  setTimeout(() => collect(options), START_UP_MS).unref()
}

/**
 * V8 lets a heap grow to many times what is in use, in proportion to the machine's memory: an import of a million
 * events held 250 MB, of which 35 were in use. A collection takes 30 to 40 ms, and happens only after so much growth.
 */
export function keepHeapSmall(): void {
  const collect = findCollector()
  let most = SMALL_HEAP
  const look = () => {
    if (getHeapStatistics().total_heap_size < most) return
    collect({ type: 'major', execution: 'sync' })
    most = Math.max(SMALL_HEAP, getHeapStatistics().used_heap_size * GROWTH)
  }
  setInterval(look, LOOK_EVERY_MS).unref()
}
