/**
 * Measures the pauses of the event loop from inside the server: `abuse-watch.ts` starts it with `--import` and asks for
 * the figures by message. A pause is the time that the main thread ran between two ticks of a timer, without garbage
 * collection and without waiting for a processor that other programs use.
 */
import { PerformanceObserver } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const TICK_MS = 5

export interface Pauses {
  /** The longest pause in ms. */
  readonly longest: number
  /** The longest time in ms between two ticks, for any reason. */
  readonly gap: number
  /** The longest garbage collection in ms. */
  readonly collection: number
}

interface Span {
  readonly from: number
  readonly to: number
}

if (isMainThread && process.send) watch(process.send.bind(process))

function watch(send: (figures: Pauses) => void): void {
  let gaps: (Span & { readonly busy: number })[] = []
  let collections: Span[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ from: startTime, to: startTime + duration })
  })
  observer.observe({ entryTypes: ['gc'] })

  let from = performance.now()
  let cpu = process.threadCpuUsage()
  setInterval(() => {
    const to = performance.now()
    const { user, system } = process.threadCpuUsage(cpu)
    if (to - from > 2 * TICK_MS) gaps.push({ from, to, busy: (user + system) / 1000 })
    from = to
    cpu = process.threadCpuUsage()
  }, TICK_MS).unref()

  process.on('message', () => {
    send({
      longest: Math.max(0, ...gaps.map((gap) => gap.busy * (1 - shareOf(gap, collections)))),
      gap: Math.max(0, ...gaps.map((gap) => gap.to - gap.from)),
      collection: Math.max(0, ...collections.map((span) => span.to - span.from)),
    })
    gaps = []
    collections = []
  })
  process.channel?.unref()
}

/**
 * Returns the share of the time that garbage collection took. A share, because times do not add up on a shared
 * processor.
 */
function shareOf({ from, to }: Span, collections: readonly Span[]): number {
  const overlaps = collections.map((span) => Math.min(span.to, to) - Math.max(span.from, from))
  const collected = overlaps.filter((time) => time > 0).reduce((sum, time) => sum + time, 0)
  return Math.min(1, collected / (to - from))
}
