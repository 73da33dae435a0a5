import { defineConfig } from 'vitest/config'
import {
  CORES,
  JOURNEYS,
  LONG,
  OF_CLICKHOUSE,
  RARE,
  runSettings,
  SAMPLED,
  taggedSql,
  testProject,
  V8_FLAGS,
} from './test/support/vitest/projects.ts'

/** The fast check, `npm test`. `vitest.full.config.ts` has what takes longer. */
export default defineConfig({
  test: {
    ...runSettings(),
    projects: [
      testProject('sqlite', 'fast', {
        include: [
          '{src,apps,bench}/**/*.test.ts',
          'test/!(browser)/**/*.test.ts',
          ...JOURNEYS,
          ...SAMPLED,
        ],
        exclude: [...LONG, ...RARE, ...OF_CLICKHOUSE],
      }),
      testProject('postgres', 'fast', taggedSql()),
      {
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'http://localhost/' } },
          // React's development build takes half as long again
          env: { NODE_ENV: 'production' },
          setupFiles: ['web/src/test/act.ts', 'web/src/test/setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
          isolate: false,
          execArgv: V8_FLAGS,
          // never waits; before the others, because only projects with the same number of workers run side by side
          maxWorkers: CORES,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
})
