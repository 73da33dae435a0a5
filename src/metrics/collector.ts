import { Gauge, type Registry } from 'prom-client'

/** Updates gauges before a scrape. */
export type Collector = () => Promise<void>

/** Returns a function that adds a gauge. */
export const createGauges =
  (registry: Registry) =>
  <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers: [registry] })
