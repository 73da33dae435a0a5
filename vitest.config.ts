import { defineConfig } from 'vitest/config'

/** Everything that speaks to a database through the front door runs on both. */
const ON_BOTH = [
  'src/features/**/*.test.ts',
  'src/access/**/*.test.ts',
  'test/contract/**/*.test.ts',
]

const common = {
  globalSetup: 'test/global-setup.ts',
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    reporters: ['default', './test/closing-line.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'sqlite',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          env: { TEST_DATABASE: 'sqlite' },
        },
      },
      {
        test: { ...common, name: 'postgres', include: ON_BOTH, env: { TEST_DATABASE: 'postgres' } },
      },
    ],
  },
})
