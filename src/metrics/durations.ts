import type { Metric } from 'prom-client'

interface DurationsOptions {
  readonly name: string
  readonly help: string
  /** Without it, there is one series. */
  readonly label?: string
  /** Upper bounds in seconds. Without any, only sum and count are kept. */
  readonly buckets?: readonly number[]
}

interface Series {
  seconds: number
  count: number
  /** The observations up to each bound and above the one before. */
  readonly counts: number[]
}

export interface Durations {
  observe(label: string | number, ms: number): void
  /** Shows the durations in a registry. */
  readonly metric: Metric
}

/**
 * Creates a metric of durations by one label. Every request is observed: two metrics of prom-client take 8 µs for that, a
 * tenth of a cached read, and these take 0.3 µs.
 */
export function createDurations(options: DurationsOptions): Durations {
  const { name, help, label, buckets = [] } = options
  const all = new Map<string | number, Series>()
  const type = buckets.length > 0 ? 'histogram' : 'summary'
  const metric = { name, help, type, get: async () => ({ name, help, type, values: list() }) }

  function list() {
    return [...all].flatMap(([value, { seconds, count, counts }]) => {
      const labels = label === undefined ? {} : { [label]: value }
      let sum = 0
      const bounds = buckets.map((le, index) => {
        sum += counts[index] as number
        return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: sum }
      })
      const last = { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count }
      return [
        ...(bounds.length > 0 ? [...bounds, last] : []),
        { metricName: `${name}_sum`, labels, value: seconds },
        { metricName: `${name}_count`, labels, value: count },
      ]
    })
  }

  function observe(value: string | number, ms: number): void {
    const seconds = ms / 1000
    let series = all.get(value)
    if (!series) {
      series = { seconds: 0, count: 0, counts: buckets.map(() => 0) }
      all.set(value, series)
    }
    series.seconds += seconds
    series.count++
    const bucket = buckets.findIndex((bound) => seconds <= bound)
    if (bucket >= 0) (series.counts[bucket] as number)++
  }

  return { observe, metric: metric as unknown as Metric }
}
