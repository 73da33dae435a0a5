import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Below this there is nothing to gain: a third of it is where new objects are made. */
const SMALL_HEAP = 110 * 1024 * 1024
/** How far the heap may grow beyond what was in use after the last collection. */
const GROWTH = 2.5
const LOOK_EVERY_MS = 500
const START_UP_MS = 1000

/** An app that runs makes more garbage than anybody who asks for a page. */
const SMALL_HEAP_OF_IMPORTS = 56 * 1024 * 1024

/**
 * Read by V8 at each collection. Where new objects are made stays as small as a thorough collection leaves it, 2 MB and
 * not 54; the rest may grow by half of what is in use before V8 collects, beside the work and not instead of it.
 */
const SAVING = ['--semi-space-growth-factor=1', '--heap-growing-percent=50']
const USUAL = ['--semi-space-growth-factor=2', '--heap-growing-percent=0']

const THOROUGH = { type: 'major', execution: 'sync', flavor: 'last-resort' }

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
  setTimeout(() => collect(THOROUGH), START_UP_MS).unref()
}

/**
 * V8 lets a heap grow to many times what is in use, in proportion to the machine's memory: an import of a million
 * events held 250 MB, of which 35 were in use. A collection takes 30 to 40 ms, and happens only after so much growth.
 * An import works as well with less (docs/decisions/0017); for requests, speed is worth more.
 */
export function keepHeapSmall(isImporting: () => boolean): void {
  const collect = findCollector()
  let most = SMALL_HEAP
  let isSaving = false

  function save(): void {
    isSaving = true
    for (const flag of SAVING) setFlagsFromString(flag)
    collect(THOROUGH)
  }

  function stopSaving(): void {
    isSaving = false
    for (const flag of USUAL) setFlagsFromString(flag)
  }

  const look = () => {
    const size = getHeapStatistics().total_heap_size
    if (isSaving && !isImporting()) stopSaving()
    if (!isSaving && size >= SMALL_HEAP_OF_IMPORTS && isImporting()) return save()
    if (size < most) return
    collect({ type: 'major', execution: 'sync' })
    most = Math.max(SMALL_HEAP, getHeapStatistics().used_heap_size * GROWTH)
  }
  setInterval(look, LOOK_EVERY_MS).unref()
}
