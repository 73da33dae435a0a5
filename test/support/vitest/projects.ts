import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config'
import { hasNativeEngine } from '../servers/clickhouse.ts'
import { MixedOrder } from './mixed-order.ts'

export type Effort = 'fast' | 'full'

export const BROWSER = ['test/browser/**/*.test.ts']

/** Returns the patterns. Throws if one matches nothing, because a moved file would silently not run. */
export function existing(patterns: string[]): string[] {
  const lost = patterns.filter((pattern) => globSync(pattern).length === 0)
  if (lost.length > 0) throw new Error(`No test file matches ${lost.join(', ')}.`)
  return patterns
}

/** Tests that repeatedly start and kill servers, workers and apps, or wait for minutes: `npm run check:full` only. */
export const LONG = existing([
  'test/faults/{backfills,backups,deliveries,events,import-alerts,persons,processes,retries,schedules,unsettled-runs,workers}.test.ts',
  'test/faults/{first-start,full-disk,many-servers,scheduled-backups,secret-rotation,signals,silent-postgres}.test.ts',
  'test/faults/{runaway-statements,simultaneous-starts,sql-bombs,storage-halves,version-race,windows}.test.ts',
  'test/runtime/{escaped-process,hostile,unprivileged}.test.ts',
  // builds the web app, and installs 120 packages
  'test/package/package.test.ts',
  // generates demo data
  'test/cli/demo.test.ts',
  // opens the storage of every release
  'test/releases/releases.test.ts',
])

/**
 * Tests of paths that rarely change and take five seconds of CPU time or more: `npm run check:full` only. Smaller tests
 * beside them stay in the fast check.
 */
export const RARE = existing([
  // installs packages with the real npm; `plugins.source` and `origin/` install from other places
  'src/features/import-apps/plugins/plugins.npm.test.ts',
  // runs every built-in app in the real runtime; `apps/` tests their code
  'test/apps/built-in.test.ts',
  // starts and kills the drawing process, and draws whole dashboards; `child/draw` draws every chart
  'src/pictures/{pictures,child/dashboard}.test.ts',
  // starts the process that makes a backup; `claims` and `files` test the schedule
  'src/backup/schedule/scheduler.test.ts',
  // sends generated values to every route; `parse-errors`, `raw-http` and `hostile-form` send chosen ones
  'test/contract/hostile-{headers,input}.test.ts',
  // reads everything before and after each right is taken away; `revocation` tests streams and slow requests
  'test/contract/revoked-reads.test.ts',
  // compares the lists of every kind of point; `events.test.ts` and `actors.test.ts` test each kind
  'src/features/results/rows/events.generated.test.ts',
  // megabytes of properties and events
  'src/analytics/{full-properties,postgres/snapshot,postgres/vacuum}.test.ts',
  'src/features/events/capture/capture.large.test.ts',
  // restores forty invented archives; `archive`, `check-part` and `restore` refuse some
  'test/cli/hostile-archives.test.ts',
  // installs client generators and linters of OpenAPI documents
  'test/sdks/sdks.test.ts',
  // packs the harness for apps, with the compiler of its types
  'test/kit/package.test.ts',
  // installs clients; the tests of capture use those that are installed anyway
  'test/clients/*.test.ts',
  // sends requests to every route; `metrics` tests the series of a few
  'src/metrics/metrics.size.test.ts',
  // the PostgreSQL server of the tests
  'test/support/servers/postgres.test.ts',
])

/** One journey of each area. `npm run check:full` runs the others, which component tests in `web/src` cover in part. */
export const JOURNEYS = existing([
  'test/browser/{account,apps,dashboard.edit,insights,settings,share-dialog,shell}.test.ts',
])

/** A journey that checks its pages with axe too in `npm run check:full`. */
export const SAMPLED = existing(['test/browser/persons.test.ts'])

/** Marks the tests that `npm test` runs on PostgreSQL too: `{ tags: 'sql' }`. */
const SQL = 'sql'

/** Tests that use the database through the API: on both databases in `npm run check:full`. */
export const ON_BOTH = [
  'src/{access,features,metrics}/**/*.test.ts',
  'test/contract/**/*.test.ts',
  'test/cli/{backup,hostile-archives,restore}.test.ts',
]

/** The name of the project whose tests compare ClickHouse with the other stores. */
export const CLICKHOUSE = 'clickhouse'

/** The name of the project whose tests use the API with events in ClickHouse. */
export const CLICKHOUSE_API = 'clickhouse-api'

/** Tests that read events through the API, with events in ClickHouse: only where its engine is native. */
export const READING_EVENTS = existing([
  'src/features/events/capture/capture.test.ts',
  'src/features/events/{actions,cohorts,events,groups,ingestion-warnings,persons}/*.test.ts',
  'src/features/events/definitions/definitions{,.persons}.test.ts',
  'src/features/results/{actions,cohort-breakdowns,cohorts,groups,identity,overrides,query}.test.ts',
  'src/features/results/{sql-actions,sql-cohorts,explain/explain}.test.ts',
  'src/features/results/rows/{actors,events}{,.groups}.test.ts',
  'src/features/results/rows/{actors.cohorts,options}.test.ts',
])

/** Tests of ClickHouse itself. The fast check does not run them. */
export const OF_CLICKHOUSE = existing([
  'test/support/servers/clickhouse.test.ts',
  'test/faults/clickhouse.test.ts',
  'src/analytics/clickhouse/{create-tables,store}.test.ts',
  'test/cli/{move.clickhouse,clickhouse.doctor}.test.ts',
])

/** Tests that compare stores if there is ClickHouse: several servers, kills, and each kind of query. */
const COMPARING = existing([
  'test/faults/{events,many-servers}.test.ts',
  'src/analytics/**/*.test.ts',
])

/** Compare every kind of query with generated events. */
const COMPARING_GENERATED = existing(['src/analytics/**/*.generated.test.ts'])

/** Tells whether there is a ClickHouse that runs statements in parallel. */
export const hasFastClickHouse = (): boolean =>
  Boolean(process.env.CLICKHOUSE_TEST_URL) || hasNativeEngine()

/**
 * Selects the tests that compare stores, if there is a ClickHouse to compare. chdb-wasm runs one statement at a time and
 * frees no memory, so that it stands still after an hour of tests: with it only the generated ones, unless
 * `CLICKHOUSE_TEST_ALL` is set.
 */
export const comparingStores = () => {
  const isFast = hasFastClickHouse()
  const comparing = isFast || process.env.CLICKHOUSE_TEST_ALL ? COMPARING : COMPARING_GENERATED
  return {
    include: [
      ...globSync(comparing).filter((path) =>
        /startStores|startBoth|COMPARED|DATABASES|SHARED_DATABASE/.test(readFileSync(path, 'utf8')),
      ),
      ...OF_CLICKHOUSE,
    ],
    env: {
      TEST_DATABASE: 'sqlite',
      TEST_EFFORT: isFast ? 'fast' : 'small',
      TEST_CLICKHOUSE: '1',
    },
  }
}

/** Selects the tests with the tag `sql`, and the files that have one. */
export const taggedSql = () => ({
  include: globSync(ON_BOTH).filter((path) =>
    readFileSync(path, 'utf8').includes(`tags: '${SQL}'`),
  ),
  tagsFilter: [SQL],
})

/**
 * Tests run most code only a few times, so V8's last optimizer takes more CPU time than it saves, and larger spaces for
 * new objects are collected less often: 15 and 11 % less CPU time in 272 tests of features.
 */
export const V8_FLAGS = ['--no-opt', '--min-semi-space-size=16', '--max-semi-space-size=64']

/** The cache of the command: a worker loads all modules in two thirds of the CPU time. */
const CODE_CACHE = resolve('node_modules/.cache/hedgerow')

export const CORES = Math.min(availableParallelism(), 8)

export const testProject = (
  name: string,
  effort: Effort,
  test: Partial<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration => ({
  test: {
    name,
    setupFiles: ['test/support/vitest/no-source-maps.ts', 'test/support/app/seed.ts'],
    testTimeout: 180_000, // several browsers may share two cores
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // Node loads the code as in production; Vite would transform every module and load it again for each worker
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // loading all modules for each file would take longer than the tests, and useApp() could not share its app
    isolate: false,
    execArgv: effort === 'fast' ? V8_FLAGS : [],
    sequence: { groupOrder: 1 },
    tags: [{ name: SQL, description: 'SQL, locks, claims, order or search are its subject' }],
    // long tests kill servers and wait for them on busy machines; the closing lines report second attempts
    retry: effort === 'full' ? 1 : 0,
    env: {
      TEST_DATABASE: name === 'postgres' ? 'postgres' : 'sqlite',
      TEST_EFFORT: effort,
      NODE_COMPILE_CACHE: CODE_CACHE,
    },
    ...test,
  },
})

/** Settings of a whole run. */
export const runSettings = (): ViteUserConfig['test'] => ({
  globalSetup: 'test/support/vitest/global-setup.ts',
  // one more than there are cores, because many tests wait for other processes; each worker loads all modules again.
  // PostgreSQL has connections for ten workers.
  maxWorkers: CORES + 1,
  sequence: { sequencer: MixedOrder },
  reporters: ['default', './test/support/vitest/closing-line.ts'],
})
