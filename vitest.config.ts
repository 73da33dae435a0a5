import { defineConfig } from 'vitest/config'
import {
  ACCESSIBLE,
  BROWSER,
  existing,
  LONG,
  PICTURES,
  runSettings,
  testProject,
} from './test/projects.ts'

/** Files that `npm test` runs on PostgreSQL too. The rest never reaches SQL that the two spell differently. */
const ON_POSTGRES = existing([
  // locks, claims and concurrent changes
  'src/access/revocation.test.ts',
  'src/features/dashboards/dashboards/dashboards.{order,trash,unseen-edits}.test.ts',
  'src/features/import-apps/configs/configs.{rearrange,trash}.test.ts',
  'src/features/import-apps/runs/execution/{claim-run,claim-store,execution,run-counts,schedules,test-runs}.test.ts',
  'src/features/notifications/alerts/claims.test.ts',
  'src/features/notifications/deliveries/deliveries.test.ts',
  'src/features/people/projects/projects.life.test.ts',
  'src/features/people/users/members.test.ts',
  // order, search, paging and aggregates
  'src/features/activity/*.test.ts',
  'src/features/dashboards/dashboards/dashboards.list.test.ts',
  'src/features/dashboards/insights/insights.list.test.ts',
  'src/features/dashboards/templates/templates.list.test.ts',
  'src/features/events/**/{cohorts,definitions,events,groups,ingestion-warnings,live,persons,pruned-warnings,retention}{,.cursor,.edit,.persons,.search,.static}.test.ts',
  'src/features/import-apps/runs/{logs/logs,metrics/metrics}.test.ts',
  'src/features/results/{cohort-breakdowns,cohorts,fair-shares,groups,query,sql-cohorts}.test.ts',
  'src/features/results/actors/{actors,cohorts,groups}.test.ts',
  'src/features/results/point-events/*.test.ts',
  // bytes, and notifications between processes
  'src/features/import-apps/attachments/*.test.ts',
  'src/features/import-apps/runs/logs/run-streams.test.ts',
  'src/features/import-apps/runs/services/app-state{,.limits}.test.ts',
  // one story for each other resource
  'src/features/dashboards/collaborators/collaborators.test.ts',
  'src/features/dashboards/dashboards/dashboards.copy.test.ts',
  'src/features/dashboards/sharing/sharing.test.ts',
  'src/features/events/capture/capture.test.ts',
  'src/features/import-apps/configs/configs.test.ts',
  'src/features/import-apps/plugins/plugins.test.ts',
  'src/features/import-apps/runs/runs.test.ts',
  'src/features/people/api-keys/personal-api-keys.test.ts',
  'src/features/people/invites/invites.test.ts',
  'src/features/people/sessions/sessions.test.ts',
  'src/features/setup/demo/demo.test.ts',
  'src/features/setup/set-up.test.ts',
])

/** The fast check, `npm test`. `vitest.full.config.ts` has what takes longer. */
export default defineConfig({
  test: {
    ...runSettings('fast'),
    projects: [
      testProject('browser', 'fast', { include: BROWSER, exclude: [...ACCESSIBLE, ...PICTURES] }),
      testProject('sqlite', 'fast', {
        include: ['{src,apps,test,web/src}/**/*.test.ts'],
        exclude: [...BROWSER, ...LONG],
      }),
      {
        test: {
          name: 'web',
          include: ['web/src/**/*.test.tsx'],
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'http://localhost/' } },
          setupFiles: 'web/src/test/setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
        },
      },
      testProject('postgres', 'fast', { include: ON_POSTGRES }),
    ],
  },
})
