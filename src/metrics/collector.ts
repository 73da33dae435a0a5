import { Gauge, type Registry } from 'prom-client'
import { withTimeout } from '../concurrency.ts'

/** Updates gauges before a scrape. */
export type Collector = () => Promise<void>

/** Returns a function that adds a gauge. */
export const createGauges =
  (registry: Registry) =>
  <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers: [registry] })

/** Half of the time that Prometheus waits by default. */
const MAX_MS = 5000

/** Lets a scrape continue without a database that is silent. The next scrape waits for the same read, not for another. */
export function limitTime(collect: Collector): Collector {
  let reading: Promise<void> | undefined
  return () => {
    reading ??= collect().finally(() => {
      reading = undefined
    })
    return withTimeout(reading, MAX_MS, () => new Error('The read took too long.'))
  }
}
