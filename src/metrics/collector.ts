/** Updates gauges before a scrape. */
export type Collector = () => Promise<void>
