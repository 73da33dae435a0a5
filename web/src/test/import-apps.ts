import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { InstalledPlugin, Plugin } from '#server/features/import-apps/plugins/schema.ts'
import type { Metrics, Run } from '#server/features/import-apps/runs/schema.ts'
import { pageOf } from './fixtures.ts'
import type { Routes } from './server.ts'

const AT = '2026-01-05T10:00:00.000Z'
const UUID = '00000000-0000-4000-8000-000000000000'

export const CONFIGS = '/api/projects/1/pipeline_import_apps_configs'
export const PLUGINS = '/api/organizations/@current/plugins'

const MANIFEST: Plugin = {
  id: 7,
  name: 'Test app',
  version: '1.0.0',
  description: 'Imports orders.',
  config_schema: [],
  public_jobs: { work: {} },
  capabilities: { scheduled_tasks: [], jobs: ['work'], methods: [] },
}

/** An installed app. */
export const plugin = (fields: Partial<InstalledPlugin> = {}): InstalledPlugin => ({
  id: 7,
  plugin_type: 'source',
  name: 'Test app',
  version: '1.0.0',
  description: 'Imports orders.',
  url: null,
  icon: null,
  config_schema: [],
  tag: null,
  latest_tag: null,
  is_global: false,
  organization_id: UUID,
  organization_name: 'Hedgerow',
  capabilities: { scheduled_tasks: [], jobs: ['work'], methods: [] },
  metrics: {},
  public_jobs: { work: {} },
  hog_function_migration_available: false,
  built_in: false,
  has_frontend: false,
  limitation: '',
  created_at: AT,
  updated_at: AT,
  ...fields,
})

/** The use of the app in project 1, enabled. */
export const config = (
  fields: Partial<PipelineConfig> = {},
  manifest: Partial<Plugin> = {},
): PipelineConfig => ({
  id: 1,
  plugin: 7,
  enabled: true,
  order: 1,
  config: '{}',
  error: '',
  team_id: 1,
  plugin_info: JSON.stringify({ ...MANIFEST, ...manifest }),
  delivery_rate_24h: '',
  created_at: AT,
  updated_at: AT,
  name: 'Mine',
  description: '',
  deleted: false,
  ...fields,
})

/** A run that succeeded. */
export const run = (fields: Partial<Run> = {}): Run => ({
  id: UUID,
  config_id: 1,
  kind: 'job',
  name: 'work',
  payload: null,
  operation: 'start',
  state: 'succeeded',
  message: 'Done',
  progress: { done: 0, total: null, message: '' },
  events: 3,
  new_events: 3,
  skipped: 0,
  dry_run: false,
  attempt: 1,
  retry_of: null,
  created_by: 1,
  created_at: AT,
  run_at: null,
  started_at: AT,
  finished_at: AT,
  ...fields,
})

const HOUR = {
  start: AT,
  runs_succeeded: 0,
  runs_failed: 0,
  deliveries_succeeded: 0,
  deliveries_failed: 0,
  events: 0,
}

export const metrics = (hour: Partial<typeof HOUR> = {}): Metrics => ({
  last_24_hours: [{ ...HOUR, ...hour }],
  last_30_days: [{ ...HOUR, ...hour }],
})

/** Responses for a project with these configs, and the pages of the first. */
export function configRoutes(configs: readonly PipelineConfig[], ...runs: Run[]): Routes {
  const perConfig = configs.flatMap((one) =>
    Object.entries({
      [`GET ${CONFIGS}/${one.id}`]: one,
      [`GET ${CONFIGS}/${one.id}/runs`]: pageOf(...runs),
      [`GET ${CONFIGS}/${one.id}/metrics`]: metrics(),
      [`GET ${CONFIGS}/${one.id}/logs`]: pageOf(),
    }),
  )
  return {
    [`GET ${CONFIGS}`]: ({ query }: { query: URLSearchParams }) =>
      pageOf(...configs.filter(({ deleted }) => String(deleted) === query.get('deleted'))),
    [`GET ${PLUGINS}`]: pageOf(plugin()),
    ...Object.fromEntries(perConfig),
  }
}
