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

/** Measures the events in ClickHouse against the embedded store and PostgreSQL; `isLarge` adds 100 million events. */
export function measureClickHouse(say: Say, isLarge: boolean): Promise<Result[]> {
  return withEngine(say, async (engine) => [
    ...(await measureSpeed(engine, say, isLarge)),
    ...(await measureIntake(engine, say)),
    await measureSeen(engine, say),
    await measureShippingMemory(engine, say),
  ])
}

async function measureSpeed(engine: Engine, say: Say, isLarge: boolean): Promise<Result[]> {
  if (!engine.isNative) {
    say(
      `clickhouse: skipped query kinds, merged persons, bytes and growth, because ${engine.name} has one thread and its data in memory. Set CLICKHOUSE_TEST_URL, or run this where chdb loads (x64).`,
    )
    return []
  }
  const results = await measureEventQueries(engine, EVENTS, say)
  return isLarge ? [...results, await measureGrowth(engine, say)] : results
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
