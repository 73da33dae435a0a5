import { defineConfig } from 'vitest/config'
import {
  ACCESSIBLE,
  CORES,
  existing,
  LONG,
  LOOKS,
  PICTURES,
  RARE,
  runSettings,
  testProject,
  V8_FLAGS,
} from './test/support/vitest/projects.ts'

/**
 * Files that `npm test` runs on PostgreSQL too, because SQL, locks, claims or order are their subject. Each resource is
 * created and read once by `every-route`; `npm run check:full` runs everything that reaches a database.
 */
const ON_POSTGRES = existing([
  'test/contract/every-route.test.ts',
  // locks, claims and concurrent changes
  'src/access/revocation.test.ts',
  'src/features/backups/claims.test.ts',
  'src/features/dashboards/dashboards/dashboards.{order,trash,unseen-edits}.test.ts',
  'src/features/import-apps/configs/configs.{rearrange,trash}.test.ts',
  'src/features/import-apps/runs/execution/{claim-run,claim-store,run-counts,schedules,set-ups,test-runs}.test.ts',
  'src/features/notifications/alerts/claims.test.ts',
  'src/features/accounts/projects/projects.life.test.ts',
  // order, search, paging and aggregates
  'src/features/activity/*.test.ts',
  'src/features/dashboards/dashboards/dashboards.list.test.ts',
  'src/features/dashboards/insights/insights.list.test.ts',
  'src/features/dashboards/templates/templates.list.test.ts',
  'src/features/events/**/{cohorts,definitions,events,groups,ingestion-warnings,live,persons,pruned-warnings,retention}{,.cursor,.edit,.persons,.properties,.search,.static}.test.ts',
  'src/features/import-apps/runs/{logs/logs,metrics/metrics}.test.ts',
  'src/features/results/{cohort-breakdowns,cohorts,fair-shares,groups,large-results,query,sql-bombs,sql-cohorts}.test.ts',
  'src/features/mcp/mcp.test.ts',
  'src/features/results/rows/actors{,.cohorts,.groups}.test.ts',
  'src/features/results/rows/events.test.ts',
  // bytes, and notifications between processes
  'src/features/import-apps/attachments/*.test.ts',
  'src/features/import-apps/runs/logs/run-streams.test.ts',
  'src/features/import-apps/runs/services/app-state.test.ts',
])

/** The fast check, `npm test`. `vitest.full.config.ts` has what takes longer. */
export default defineConfig({
  test: {
    ...runSettings(),
    projects: [
      testProject('sqlite', 'fast', {
        include: ['{src,apps,test}/**/*.test.ts'],
        exclude: [...ACCESSIBLE, ...LONG, ...LOOKS, ...PICTURES, ...RARE],
      }),
      testProject('postgres', 'fast', { include: ON_POSTGRES }),
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
