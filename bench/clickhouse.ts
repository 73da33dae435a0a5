import { pathToFileURL } from 'node:url'
import { hasClickHouse } from '../test/support/servers/clickhouse.ts'
import { measureIntake } from './clickhouse-capture.ts'
import { type Engine, openEngine } from './clickhouse-engine.ts'
import { measureShippingMemory } from './clickhouse-memory.ts'
import { measureEventQueries, measureGrowth } from './clickhouse-queries.ts'
import { measureSeen } from './clickhouse-seen.ts'
import type { Result } from './result.ts'

const EVENTS = 2_000_000

type Say = (text: string) => void

type Measure = (engine: Engine, say: Say) => Promise<Result[]>

/** Runs with any engine. */
const OF_ALL: Readonly<Record<string, Measure>> = {
  'clickhouse intake': measureIntake,
  'clickhouse seen': async (engine, say) => [await measureSeen(engine, say)],
  'clickhouse memory': async (engine, say) => [await measureShippingMemory(engine, say)],
}

/** Needs a native engine: chdb-wasm has one thread and its data in memory. */
const OF_NATIVE: Readonly<Record<string, Measure>> = {
  'clickhouse kinds': (engine, say) => measureEventQueries(engine, EVENTS, say),
}

/** Takes 100 million events. */
const OF_LARGE: Readonly<Record<string, Measure>> = {
  'clickhouse large': async (engine, say) => [await measureGrowth(engine, say)],
}

export const CLICKHOUSE_PARTS = Object.keys({ ...OF_NATIVE, ...OF_LARGE, ...OF_ALL })

interface Selection {
  readonly isLarge: boolean
  isSelected(part: string): boolean
}

/** Measures the events in ClickHouse against the embedded store and PostgreSQL. */
export function measureClickHouse(say: Say, { isLarge, isSelected }: Selection): Promise<Result[]> {
  return withEngine(say, async (engine) => {
    const ofNative = Object.entries({ ...OF_NATIVE, ...(isLarge && OF_LARGE) })
    if (!engine.isNative) {
      const names = ofNative.map(([name]) => name).join(', ')
      say(
        `skipped ${names}, because ${engine.name} has one thread and its data in memory. Set CLICKHOUSE_TEST_URL, or run this where chdb loads (x64).`,
      )
    }
    const results: Result[] = []
    for (const [name, measure] of [
      ...(engine.isNative ? ofNative : []),
      ...Object.entries(OF_ALL),
    ]) {
      if (isSelected(name)) results.push(...(await measure(engine, say)))
    }
    return results
  })
}

async function withEngine(
  say: Say,
  work: (engine: Engine) => Promise<Result[]>,
): Promise<Result[]> {
  if (!hasClickHouse()) {
    say('clickhouse: skipped. Run `npm run clickhouse:install` to install its engine.')
    return []
  }
  const engine = await openEngine()
  try {
    return await work(engine)
  } finally {
    await engine.stop()
  }
}

/** `node bench/clickhouse.ts 20000` compares the results of that many events, with any engine. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  await withEngine(say, (engine) => measureEventQueries(engine, Number(process.argv[2]), say))
}
