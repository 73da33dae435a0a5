import type { Backfill } from '#server/features/import-apps/backfills/schema.ts'
import type { CatalogApp } from '#server/features/import-apps/catalog/schema.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { ImportHealth } from '#server/features/import-apps/health/schema.ts'
import type { InstalledPlugin, Plugin } from '#server/features/import-apps/plugins/schema.ts'
import type { Metrics, Run } from '#server/features/import-apps/runs/schema.ts'
import type { ScheduleSettings } from '#server/features/import-apps/schedules/schema.ts'
import type { ImportState } from '#server/features/import-apps/state/schema.ts'
import type {
  WebhookAddress,
  WebhookRequest,
} from '#server/features/import-apps/webhooks/schema.ts'
import { pageOf } from './fixtures.ts'
import type { Routes } from './server.ts'

const AT = '2026-01-05T10:00:00.000Z'
const UUID = '00000000-0000-4000-8000-000000000000'

export const CONFIGS = '/api/projects/1/pipeline_import_apps_configs'
export const HEALTH = '/api/projects/1/import_health'
export const PLUGINS = '/api/organizations/@current/plugins'
export const CATALOG = '/api/organizations/@current/plugin_catalog'

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

/** An app in the catalog. */
export const catalogApp = (fields: Partial<CatalogApp> = {}): CatalogApp => ({
  ...{ plugin: 7, name: 'Test app', description: 'Imports orders.', icon: null },
  ...{ category: 'Other', license: null, streams: [], template: null, docs: null },
  ...{ version: '1.0.0', built_in: false, update_available: false },
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
  backfill: null,
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

export const schedule = (fields: Partial<ScheduleSettings> = {}): ScheduleSettings => ({
  schedule: null,
  expected_every: null,
  retry: null,
  next_run_at: null,
  ...fields,
})

/** A backfill of ten days, half done. */
export const backfill = (fields: Partial<Backfill> = {}): Backfill => ({
  id: UUID,
  config_id: 1,
  from: '2025-12-01T00:00:00.000Z',
  to: '2025-12-11T00:00:00.000Z',
  streams: null,
  chunk: '1d',
  state: 'running',
  message: '',
  windows: 10,
  windows_done: 5,
  events: 1200,
  new_events: 1200,
  skipped: 0,
  created_by: 1,
  created_at: AT,
  finished_at: null,
  ...fields,
})

export const state = (fields: Partial<ImportState> = {}): ImportState => ({
  version: 3,
  bytes: 120,
  state: { cursor: '2026-01-05' },
  ...fields,
})

export const health = (fields: Partial<ImportHealth> = {}): ImportHealth => ({
  config_id: 1,
  name: 'Mine',
  state: 'healthy',
  since: AT,
  message: '',
  last_success_at: AT,
  next_run_at: null,
  failures_in_a_row: 0,
  events: 3,
  event_names: [],
  skipped: 0,
  ...fields,
})

/** The built-in app Webhook in project 1, enabled. */
export const webhookConfig = (
  settings: Readonly<Record<string, unknown>> = {},
  fields: Partial<PipelineConfig> = {},
): PipelineConfig =>
  config(
    { plugin: 5, config: JSON.stringify(settings), ...fields },
    {
      id: 5,
      name: 'Webhook',
      public_jobs: {},
      capabilities: { scheduled_tasks: [], jobs: [], methods: ['onRequest'] },
    },
  )

export const address = (fields: Partial<WebhookAddress> = {}): WebhookAddress => ({
  path: '/in/abc',
  url: null,
  created_at: AT,
  previous: [],
  methods: ['POST', 'PUT', 'GET'],
  keep_days: 7,
  keep_requests: 10_000,
  while_disabled: 'refuse',
  ...fields,
})

/** A request that the app has handled. */
export const webhookRequest = (fields: Partial<WebhookRequest> = {}): WebhookRequest => ({
  id: 1,
  received_at: AT,
  method: 'POST',
  content_type: 'application/json',
  size: 512,
  state: 'done',
  message: '',
  run_id: null,
  ...fields,
})

/** Responses for a project with these configs, and the pages of the first. */
export function configRoutes(configs: readonly PipelineConfig[], ...runs: Run[]): Routes {
  const perConfig = configs.flatMap((one) =>
    Object.entries({
      [`GET ${CONFIGS}/${one.id}`]: one,
      [`GET ${CONFIGS}/${one.id}/runs`]: pageOf(...runs),
      [`GET ${CONFIGS}/${one.id}/metrics`]: metrics(),
      [`GET ${CONFIGS}/${one.id}/logs`]: pageOf(),
      [`GET ${CONFIGS}/${one.id}/schedule`]: schedule(),
      [`GET ${CONFIGS}/${one.id}/state`]: state(),
    }),
  )
  return {
    [`GET ${CONFIGS}`]: ({ query }: { query: URLSearchParams }) =>
      pageOf(...configs.filter(({ deleted }) => String(deleted) === query.get('deleted'))),
    [`GET ${PLUGINS}`]: pageOf(plugin()),
    [`GET ${CATALOG}`]: pageOf(catalogApp()),
    [`GET ${HEALTH}`]: pageOf(...configs.map(({ id, name }) => health({ config_id: id, name }))),
    ...Object.fromEntries(perConfig),
  }
}
