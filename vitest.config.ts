import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './test/slow-first.ts'

/** Everything that speaks to a database through the front door runs on both. */
const ON_BOTH = [
  'src/features/**/*.test.ts',
  'src/access/**/*.test.ts',
  'test/contract/**/*.test.ts',
]

const IN_A_BROWSER = ['test/browser/**/*.test.ts']

const common = {
  globalSetup: 'test/global-setup.ts',
  setupFiles: 'test/seed.ts',
  // far beyond what any takes: a busy machine is slow, and what hangs does so for ever
  testTimeout: 120_000,
  hookTimeout: 60_000,
  // every test has an app and storage of its own; loading all modules again for each file would take longer than the tests
  isolate: false,
}

export default defineConfig({
  test: {
    // one more than there are cores: in some files most of the time is waiting. PostgreSQL has connections for nine
    maxWorkers: Math.min(availableParallelism(), 8) + 1,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', './test/closing-line.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'browser',
          include: IN_A_BROWSER,
          env: { TEST_DATABASE: 'sqlite' },
          // a browser on a busy machine is at times slower than anybody waits. What needed it is named at the end: it may
          // be a race of ours, and is then to be mended
          retry: 1,
        },
      },
      {
        test: {
          ...common,
          name: 'sqlite',
          include: ['{src,apps,test,web/src}/**/*.test.ts'],
          exclude: IN_A_BROWSER,
          env: { TEST_DATABASE: 'sqlite' },
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/src/**/*.test.tsx'],
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'http://localhost/' } },
          setupFiles: 'web/src/test/setup.ts',
          testTimeout: 60_000,
          isolate: false,
        },
      },
      {
        test: { ...common, name: 'postgres', include: ON_BOTH, env: { TEST_DATABASE: 'postgres' } },
      },
    ],
  },
})
