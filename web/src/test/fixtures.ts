import type { Static } from 'typebox'
import { CAN_EDIT, EVERYONE_CAN_EDIT } from '#model/levels.ts'
import type { Me, Project } from '#server/features/accounts/projects/schema.ts'
import type { ScheduledBackups } from '#server/features/backups/schema.ts'
import type { Dashboard, DashboardListItem } from '#server/features/dashboards/dashboards/schema.ts'
import type { Insight as InsightSchema } from '#server/features/dashboards/insights/schema.ts'
import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import type { ListPage } from '../api/client.ts'

const CREATED_AT = '2026-01-05T10:00:00.000Z'
const toUuid = (id: number): string => `00000000-0000-4000-8000-${`${id}`.padStart(12, '0')}`

const ORGANIZATION = {
  id: toUuid(900),
  name: 'Hedgerow',
  slug: 'hedgerow',
  membership_level: 15,
  allow_publicly_shared_resources: true,
  public_links_require_password: false,
  public_link_max_days: null,
  enforce_2fa: false,
  second_factor_grace_days: 7,
}

export const PROJECT: Project = {
  id: 1,
  uuid: toUuid(800),
  organization: ORGANIZATION.id,
  project_id: 1,
  name: 'Default project',
  api_token: 'phc_test',
  timezone: 'UTC',
  is_demo: false,
  retention_days: null,
  week_start_day: 1,
  test_account_filters: [],
  anonymize_ips: false,
  viewers_can_export: false,
  session_recording_opt_in: false,
  session_recording_network_payload_capture_config: null,
  capture_performance_opt_in: false,
  recording_domains: [],
  heatmaps_opt_in: false,
  surveys_opt_in: false,
  autocapture_exceptions_opt_in: false,
  autocapture_web_vitals_opt_in: false,
  cookieless_server_hash_mode: 0,
  app_urls: [],
  test_account_filters_default_checked: false,
  created_at: CREATED_AT,
  user_access_level: 'admin',
}

/** The signed-in user: owner of the organization. */
export const ME: Me = {
  id: 1,
  uuid: toUuid(1),
  distinct_id: 'olive',
  first_name: 'Olive',
  last_name: 'Owner',
  email: 'olive@example.com',
  is_email_verified: true,
  hedgehog_config: {},
  date_joined: CREATED_AT,
  has_password: true,
  is_2fa_enabled: false,
  second_factor_due_at: null,
  team: PROJECT,
  organization: ORGANIZATION,
  organizations: [ORGANIZATION],
}

export const NO_BACKUPS: ScheduledBackups = {
  schedule: null,
  last_backup: null,
  last_failure: null,
  is_running: false,
  is_late: false,
}

/** One complete page of a list. */
export const pageOf = <T>(...results: readonly T[]): ListPage<T> => ({
  count: results.length,
  next: null,
  previous: null,
  results,
})

export const dashboardItem = (item: Partial<DashboardListItem> = {}): DashboardListItem => ({
  id: 1,
  name: 'Growth',
  description: '',
  pinned: false,
  created_at: CREATED_AT,
  created_by: ME,
  is_shared: false,
  deleted: false,
  creation_mode: 'default',
  tags: [],
  restriction_level: EVERYONE_CAN_EDIT,
  effective_restriction_level: EVERYONE_CAN_EDIT,
  effective_privilege_level: CAN_EDIT,
  last_modified_at: CREATED_AT,
  ...item,
})

type Insight = Static<typeof InsightSchema>

export const insight = (fields: Partial<Insight> = {}): Insight => ({
  id: 1,
  short_id: 'abc123',
  name: 'Visits',
  derived_name: null,
  description: '',
  query: { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series: [] } },
  filters: {},
  tags: [],
  dashboards: [],
  dashboard_tiles: [],
  favorited: false,
  saved: true,
  _create_in_folder: null,
  is_sample: false,
  deleted: false,
  order: null,
  created_at: CREATED_AT,
  created_by: ME,
  last_modified_at: CREATED_AT,
  last_modified_by: ME,
  updated_at: CREATED_AT,
  last_refresh: null,
  cache_target_age: null,
  next_allowed_client_refresh: null,
  is_cached: false,
  result: null,
  columns: null,
  types: null,
  hasMore: null,
  query_status: null,
  timezone: null,
  effective_restriction_level: EVERYONE_CAN_EDIT,
  effective_privilege_level: CAN_EDIT,
  ...fields,
})

/** A tile that shows one number. */
export const insightTile = (id: number, name: string, fields: Partial<Tile> = {}): Tile => ({
  id,
  layouts: { sm: { x: 0, y: 0, w: 4, h: 3 } },
  color: null,
  show_description: null,
  section: null,
  text: null,
  insight: insight({
    id: id * 100,
    name,
    query: {
      kind: 'InsightVizNode',
      source: { kind: 'TrendsQuery', series: [], trendsFilter: { display: 'BoldNumber' } },
    },
  }),
  order: 0,
  last_refresh: null,
  is_cached: false,
  filters_overrides: {},
  filters_not_applied: [],
  ...fields,
})

export const dashboard = (fields: Partial<Dashboard> = {}): Dashboard => {
  const { last_modified_at: _, ...item } = dashboardItem()
  return {
    ...item,
    use_template: '',
    use_dashboard: null,
    delete_insights: false,
    filters: {},
    variables: {},
    tiles: [],
    ...fields,
  }
}

export const template = (fields: Partial<DashboardTemplate> = {}): DashboardTemplate =>
  ({
    id: toUuid(700),
    template_name: 'SaaS metrics',
    dashboard_description: 'Sign-ups and revenue.',
    dashboard_filters: {},
    tags: [],
    tiles: [],
    variables: null,
    image_url: null,
    scope: 'global',
    created_at: CREATED_AT,
    ...fields,
  }) as DashboardTemplate
