import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const MIB = 1024 * 1024
/** Smaller heaps are not collected by us. */
const SMALL_HEAP = 110 * MIB
/** The allowed growth relative to the memory in use after the last collection. */
const GROWTH = 2.5
const CHECK_INTERVAL_MS = 500
const START_UP_DELAY_MS = 1000
/** Half of the young generation stops growing at this size, or at twice as much if it was growing fast. */
const YOUNG = 4 * MIB

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
  const collectAll = () => {
    keepNextTickFast()
    collect(options)
  }
  setTimeout(collectAll, START_UP_DELAY_MS).unref()
}

/**
 * Keeps an object of `process.nextTick` alive during the collection. Otherwise V8 also collects what it knows of their
 * shape and never learns it again: each call then takes 2 µs instead of 0.3, in every request.
 */
function keepNextTickFast(): void {
  process.nextTick(() => {})
}

/**
 * Keeps V8 from letting the heap grow in proportion to the machine's memory: see decision 17. It collects when the heap
 * has grown by half, mostly in other threads. What it does not see are buffers outside the heap: it keeps 64 MB that
 * nobody uses. While events were sent to ClickHouse, the server had 249 MB instead of 235. A collection takes 30 to
 * 40 ms.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50')
  keepYoungGenerationSmall()
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

/**
 * Stops the growth of the young generation, which V8 doubles up to 32 MB for each half and does not return while the
 * server is busy. V8 reads the limit itself only at its start, but the factor of growth at every collection.
 */
function keepYoungGenerationSmall(): void {
  let factor = 2
  const observer = new PerformanceObserver(() => {
    const wanted = youngCapacity() < YOUNG ? 2 : 1
    if (wanted !== factor) setFlagsFromString(`--semi-space-growth-factor=${wanted}`)
    factor = wanted
  })
  observer.observe({ entryTypes: ['gc'] })
}

function youngCapacity(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return young ? young.space_available_size + young.space_used_size : 0
}
