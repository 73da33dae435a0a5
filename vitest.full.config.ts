import { defineConfig } from 'vitest/config'
import { hasClickHouse } from './test/support/servers/clickhouse.ts'
import {
  BROWSER,
  CLICKHOUSE,
  CLICKHOUSE_API,
  comparingStores,
  existing,
  hasFastClickHouse,
  JOURNEYS,
  LONG,
  ON_BOTH,
  RARE,
  READING_EVENTS,
  runSettings,
  testProject,
} from './test/support/vitest/projects.ts'

/** Generate their input, or try only a part of it in the fast check. */
const GENERATED = existing([
  '{src,apps}/**/*.generated.test.ts',
  'src/analytics/{parity,property-labels}.test.ts',
  'src/analytics/queries/sql/confinement.test.ts',
  'src/features/dashboards/dashboards/dashboards.cache.test.ts',
  'test/contract/hostile-*.test.ts',
  'apps/csv/reader.test.ts',
  'src/pictures/child/draw.test.ts',
  'test/faults/webhooks.test.ts',
])

if (!hasClickHouse()) {
  console.log('clickhouse: skipped. Run `npm run clickhouse:install` to install its engine.')
}
if (!hasFastClickHouse()) {
  console.log('clickhouse-api: skipped, because it needs a server, or chdb, which is for x64.')
}

/**
 * `npm run check:full`: long faults, rare paths, large generated runs, most journeys, every page with axe, and
 * everything that reaches a database on PostgreSQL. With ClickHouse also the tests that compare event stores.
 */
export default defineConfig({
  test: {
    ...runSettings(),
    projects: [
      testProject('sqlite', 'full', {
        include: [...LONG, ...RARE, ...GENERATED],
        testTimeout: 600_000,
        hookTimeout: 300_000,
      }),
      testProject('browser', 'full', { include: BROWSER, exclude: JOURNEYS }),
      testProject('postgres', 'full', {
        include: ON_BOTH,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      ...(hasClickHouse()
        ? [
            testProject(CLICKHOUSE, 'full', {
              ...comparingStores(),
              testTimeout: 600_000,
              hookTimeout: 300_000,
            }),
          ]
        : []),
      ...(hasFastClickHouse()
        ? [
            testProject(CLICKHOUSE_API, 'full', {
              include: READING_EVENTS,
              testTimeout: 300_000,
              hookTimeout: 300_000,
              env: { TEST_DATABASE: 'clickhouse', TEST_EFFORT: 'fast' },
            }),
          ]
        : []),
    ],
  },
})
