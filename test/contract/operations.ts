import {
  COLLABORATOR,
  CONFIG,
  DASHBOARD,
  DASHBOARD_ITEM,
  listOf,
  pageOf,
  SHARING,
} from './shapes.ts'
import { COLLEAGUE, type World } from './world.ts'

export interface Operation {
  readonly name: string
  readonly method: string
  /** The path as the interface document writes it. */
  readonly path: string
  readonly scope: string
  readonly status: number
  /** undefined if there is no body. */
  readonly response: unknown
  readonly sends?: (world: World) => unknown
}

const CONFIGS = '/api/projects/:project_id/pipeline_import_apps_configs'
const DASHBOARDS = '/api/environments/:project_id/dashboards'
const COLLABORATORS = `${DASHBOARDS}/:dashboard_id/collaborators`
const LINKS = '/api/environments/{project_id}/dashboards/{dashboard_id}/sharing/links'
const INSIGHT_LINKS = '/api/environments/{project_id}/insights/{insight_id}/sharing/links'
const PLUGINS = '/api/organizations/{organization_id}/plugins'
const INSIGHTS = '/api/environments/{project_id}/insights'
const ALERTS = '/api/projects/{project_id}/alerts'
const SUBSCRIPTIONS = '/api/projects/{project_id}/subscriptions'
const ORGANIZATION = '/api/organizations/{organization_id}'
const MEMBERS = `${ORGANIZATION}/members`
const INVITES = `${ORGANIZATION}/invites`
const PROJECT_MEMBERS = '/api/projects/{project_id}/members'
const KEYS = '/api/personal_api_keys'
const PERSONS = '/api/projects/{project_id}/persons'
const GROUPS = '/api/projects/{project_id}/groups'
const COHORTS = '/api/projects/{project_id}/cohorts'
const ACTIONS = '/api/projects/{project_id}/actions'
const SAVED_VIEWS = '/api/projects/{project_id}/saved_views'
const ANNOTATIONS = '/api/projects/{project_id}/annotations'
const EMBED_SECRETS = '/api/projects/{project_id}/embed_secrets'
const EMBED_SETTINGS = '/api/projects/{project_id}/embed_settings'
const COMMENTS = '/api/projects/{project_id}/comments'
const TEMPLATES = '/api/projects/{project_id}/dashboard_templates'

const operation = (
  name: string,
  method: string,
  path: string,
  scope: string,
  status: number,
  response: unknown,
  sends?: (world: World) => unknown,
): Operation => ({ name, method, path, scope, status, response, sends })

const newConfig = () => ({ plugin: 7, order: 3 })
const newDashboard = () => ({ name: 'New' })
const newCollaborator = ({ newcomer }: World) => ({ level: 21, user_uuid: newcomer })

/** Section 4 of the interface document, row by row; the scopes it does not state are the contract's. */
export const INTERFACE: readonly Operation[] = [
  operation('lists configs', 'GET', CONFIGS, 'plugin:read', 200, pageOf(CONFIG)),
  operation('creates a config', 'POST', CONFIGS, 'plugin:write', 201, CONFIG, newConfig),
  operation('retrieves a config', 'GET', `${CONFIGS}/:id`, 'plugin:read', 200, CONFIG),
  operation('updates a config', 'PATCH', `${CONFIGS}/:id`, 'plugin:write', 200, CONFIG, newConfig),
  operation('deletes a config', 'DELETE', `${CONFIGS}/:id`, 'plugin:write', 204, undefined),
  operation('shows activity', 'GET', `${CONFIGS}/:id/activity`, 'plugin:read', 200, undefined),
  operation('shows a frontend', 'GET', `${CONFIGS}/:id/frontend`, 'plugin:read', 200, undefined),
  operation('starts a job', 'POST', `${CONFIGS}/:id/job`, 'plugin:write', 200, undefined, () => ({
    plugin: 1,
    order: 1,
  })),
  operation(
    'migrates a config',
    'POST',
    `${CONFIGS}/:id/migrate`,
    'plugin:write',
    200,
    undefined,
    newConfig,
  ),
  operation(
    'rearranges configs',
    'PATCH',
    `${CONFIGS}/rearrange`,
    'plugin:write',
    200,
    listOf(CONFIG),
    ({ config }) => ({ orders: { [config]: 5 } }),
  ),
  operation('lists dashboards', 'GET', DASHBOARDS, 'dashboard:read', 200, pageOf(DASHBOARD_ITEM)),
  operation(
    'creates a dashboard',
    'POST',
    DASHBOARDS,
    'dashboard:write',
    201,
    DASHBOARD,
    newDashboard,
  ),
  operation('retrieves a dashboard', 'GET', `${DASHBOARDS}/:id`, 'dashboard:read', 200, DASHBOARD),
  operation(
    'updates a dashboard',
    'PATCH',
    `${DASHBOARDS}/:id`,
    'dashboard:write',
    200,
    DASHBOARD,
    newDashboard,
  ),
  operation(
    'refuses to delete a dashboard',
    'DELETE',
    `${DASHBOARDS}/:id`,
    'dashboard:write',
    405,
    undefined,
  ),
  operation(
    'lists collaborators',
    'GET',
    COLLABORATORS,
    'dashboard:read',
    200,
    listOf(COLLABORATOR),
  ),
  operation(
    'adds a collaborator',
    'POST',
    COLLABORATORS,
    'dashboard:write',
    201,
    COLLABORATOR,
    newCollaborator,
  ),
  operation(
    'removes a collaborator',
    'DELETE',
    `${COLLABORATORS}/:${COLLEAGUE}`,
    'dashboard:write',
    204,
    undefined,
  ),
  operation(
    'shows the sharing configuration',
    'GET',
    `${DASHBOARDS}/:dashboard_id/sharing`,
    'sharing_configuration:read',
    200,
    SHARING,
  ),
]

/** Hedgerow's additional operations, by method and path of the OpenAPI document. */
export const ADDITIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['GET /Users', 'POST /Users', 'GET /Users/{id}', 'PUT /Users/{id}', 'PATCH /Users/{id}'],
      ...['DELETE /Users/{id}', 'GET /Groups', 'POST /Groups', 'GET /Groups/{id}'],
      ...['PUT /Groups/{id}', 'PATCH /Groups/{id}', 'DELETE /Groups/{id}'],
      ...['GET /ServiceProviderConfig', 'GET /ResourceTypes', 'GET /ResourceTypes/{id}'],
      ...['GET /Schemas', 'GET /Schemas/{id}'],
    ].map((route) => [route.replace(' ', ' /scim/v2'), 'public']),
  ),
  'GET /api/users/@me/passkeys': 'account',
  'POST /api/users/@me/passkeys': 'account',
  'POST /api/users/@me/passkeys/options': 'account',
  'POST /api/users/@me/passkeys/{id}/remove': 'account',
  'POST /api/sign_in/passkey': 'public',
  'POST /api/sign_in/passkey/options': 'public',
  'GET /api/projects': 'key',
  'GET /api/projects/{id}': 'key',
  'PATCH /api/projects/{id}': 'project:write',
  'POST /api/projects': 'project:write',
  'DELETE /api/projects/{id}': 'project:write',
  'POST /api/projects/{id}/rotate_token': 'project:write',
  'POST /api/projects/{project_id}/demo_data': 'project:write',
  'DELETE /api/projects/{project_id}/demo_data': 'project:write',
  'GET /api/organizations': 'key',
  [`GET ${ORGANIZATION}`]: 'key',
  [`GET ${ORGANIZATION}/projects`]: 'key',
  [`POST ${ORGANIZATION}/projects`]: 'project:write',
  [`GET ${ORGANIZATION}/projects/{id}`]: 'key',
  [`PATCH ${ORGANIZATION}/projects/{id}`]: 'project:write',
  [`DELETE ${ORGANIZATION}/projects/{id}`]: 'project:write',
  [`PATCH ${ORGANIZATION}`]: 'organization:write',
  [`GET ${MEMBERS}`]: 'organization_member:read',
  [`PATCH ${MEMBERS}/{user__uuid}`]: 'organization_member:write',
  [`DELETE ${MEMBERS}/{user__uuid}`]: 'organization_member:write',
  [`GET ${PROJECT_MEMBERS}`]: 'organization_member:read',
  [`POST ${PROJECT_MEMBERS}`]: 'organization_member:write',
  [`PATCH ${PROJECT_MEMBERS}/{user__uuid}`]: 'organization_member:write',
  [`DELETE ${PROJECT_MEMBERS}/{user__uuid}`]: 'organization_member:write',
  [`GET ${ORGANIZATION}/backups`]: 'organization:write',
  [`GET ${INVITES}`]: 'organization_member:read',
  [`POST ${INVITES}`]: 'organization_member:write',
  [`DELETE ${INVITES}/{id}`]: 'organization_member:write',
  'GET /api/invites/{token}': 'public',
  'POST /api/invites/{token}': 'public',
  [`GET ${KEYS}`]: 'personal_api_key:read',
  [`POST ${KEYS}`]: 'personal_api_key:write',
  [`GET ${KEYS}/@current`]: 'key',
  [`GET ${KEYS}/{id}`]: 'personal_api_key:read',
  [`PATCH ${KEYS}/{id}`]: 'personal_api_key:write',
  [`DELETE ${KEYS}/{id}`]: 'personal_api_key:write',
  [`POST ${KEYS}/{id}/roll`]: 'personal_api_key:write',
  'GET /api/projects/{project_id}/events': 'query:read',
  'GET /api/projects/{project_id}/events/live': 'query:read',
  'GET /api/projects/{project_id}/events/export.csv': 'query:read',
  'GET /api/projects/{project_id}/events/export.json': 'query:read',
  'GET /api/projects/{project_id}/event_definitions': 'query:read',
  'GET /api/projects/{project_id}/event_definitions/{id}': 'event_definition:read',
  'PATCH /api/projects/{project_id}/event_definitions/{id}': 'event_definition:write',
  'GET /api/projects/{project_id}/property_definitions': 'query:read',
  'GET /api/projects/{project_id}/property_definitions/{id}': 'property_definition:read',
  'PATCH /api/projects/{project_id}/property_definitions/{id}': 'property_definition:write',
  'GET /api/projects/{project_id}/property_values': 'query:read',
  'GET /api/projects/{project_id}/activity_log': 'activity_log:read',
  'DELETE /api/projects/{project_id}/persons/{distinct_id}/events': 'person:write',
  'GET /api/projects/{project_id}/ingestion_warnings': 'query:read',
  'POST /api/projects/{project_id}/pipeline_import_apps_configs/{id}/preview': 'plugin:write',
  'GET /api/projects/{project_id}/pipeline_import_apps_configs/{id}/address': 'plugin:write',
  'PATCH /api/projects/{project_id}/pipeline_import_apps_configs/{id}/address': 'plugin:write',
  'POST /api/projects/{project_id}/pipeline_import_apps_configs/{id}/address/rotate':
    'plugin:write',
  'GET /api/projects/{project_id}/pipeline_import_apps_configs/{id}/requests': 'plugin:read',
  'GET /api/projects/{project_id}/pipeline_import_apps_configs/{id}/requests/{request_id}':
    'plugin:read',
  'POST /api/projects/{project_id}/pipeline_import_apps_configs/{id}/requests/{request_id}/replay':
    'plugin:write',
  'POST /api/projects/{project_id}/pipeline_import_apps_configs/{id}/requests/{request_id}/test':
    'plugin:write',
  'POST /api/projects/{project_id}/pipeline_import_apps_configs/{id}/requests/replay':
    'plugin:write',
  'POST /api/projects/{project_id}/pipeline_import_apps_configs/{id}/backfill': 'plugin:write',
  'GET /api/projects/{project_id}/pipeline_import_apps_configs/{id}/backfills': 'plugin:read',
  'GET /api/projects/{project_id}/pipeline_import_apps_configs/{id}/backfills/{backfill_id}':
    'plugin:read',
  'POST /api/projects/{project_id}/pipeline_import_apps_configs/{id}/backfills/{backfill_id}/pause':
    'plugin:write',
  'POST /api/projects/{project_id}/pipeline_import_apps_configs/{id}/backfills/{backfill_id}/resume':
    'plugin:write',
  'POST /api/projects/{project_id}/pipeline_import_apps_configs/{id}/backfills/{backfill_id}/cancel':
    'plugin:write',
  'GET /api/projects/{project_id}/import_health': 'plugin:read',
  'GET /api/projects/{project_id}/pipeline_import_apps_configs/{id}/health': 'plugin:read',
  'GET /api/projects/{project_id}/pipeline_import_apps_configs/{id}/schedule': 'plugin:read',
  'PATCH /api/projects/{project_id}/pipeline_import_apps_configs/{id}/schedule': 'plugin:write',
  'GET /api/projects/{project_id}/pipeline_import_apps_configs/{id}/dashboard': 'plugin:read',
  'POST /api/projects/{project_id}/pipeline_import_apps_configs/{id}/dashboard': 'dashboard:write',
  'GET /api/projects/{project_id}/pipeline_import_apps_configs/{id}/state': 'plugin:write',
  'PUT /api/projects/{project_id}/pipeline_import_apps_configs/{id}/state': 'plugin:write',
  'DELETE /api/projects/{project_id}/pipeline_import_apps_configs/{id}/state': 'plugin:write',
  [`GET ${PERSONS}`]: 'person:read',
  [`POST ${PERSONS}/batch_by_distinct_ids`]: 'person:read',
  [`GET ${PERSONS}/{id}`]: 'person:read',
  [`PATCH ${PERSONS}/{id}`]: 'person:write',
  [`DELETE ${PERSONS}/{id}`]: 'person:write',
  [`POST ${PERSONS}/{id}/update_property`]: 'person:write',
  [`POST ${PERSONS}/{id}/delete_property`]: 'person:write',
  [`POST ${PERSONS}/{id}/split`]: 'person:write',
  [`GET ${PERSONS}/{id}/activity`]: 'person:read',
  [`GET ${PERSONS}/cohorts`]: 'cohort:read',
  [`GET ${GROUPS}`]: 'group:read',
  [`POST ${GROUPS}`]: 'group:write',
  [`GET ${GROUPS}/find`]: 'group:read',
  [`GET ${GROUPS}/activity`]: 'group:read',
  [`POST ${GROUPS}/update_property`]: 'group:write',
  [`POST ${GROUPS}/delete_property`]: 'group:write',
  [`GET ${GROUPS}/property_definitions`]: 'group:read',
  [`GET ${GROUPS}/property_values`]: 'group:read',
  [`GET ${GROUPS}_types`]: 'group:read',
  [`PATCH ${GROUPS}_types/update_metadata`]: 'group:write',
  [`GET ${COHORTS}`]: 'cohort:read',
  [`POST ${COHORTS}`]: 'cohort:write',
  [`POST ${COHORTS}/count`]: 'query:read',
  [`GET ${COHORTS}/{id}`]: 'cohort:read',
  [`PATCH ${COHORTS}/{id}`]: 'cohort:write',
  [`DELETE ${COHORTS}/{id}`]: 'cohort:write',
  [`GET ${COHORTS}/{id}/persons`]: 'person:read',
  [`PATCH ${COHORTS}/{id}/add_persons_to_static_cohort`]: 'cohort:write',
  [`PATCH ${COHORTS}/{id}/remove_person_from_static_cohort`]: 'cohort:write',
  [`GET ${COHORTS}/{id}/activity`]: 'cohort:read',
  [`GET ${ACTIONS}`]: 'action:read',
  [`POST ${ACTIONS}`]: 'action:write',
  [`GET ${ACTIONS}/{id}`]: 'action:read',
  [`PATCH ${ACTIONS}/{id}`]: 'action:write',
  [`DELETE ${ACTIONS}/{id}`]: 'action:write',
  [`GET ${ACTIONS}/{id}/activity`]: 'action:read',
  [`GET ${SAVED_VIEWS}`]: 'saved_view:read',
  [`POST ${SAVED_VIEWS}`]: 'saved_view:write',
  [`GET ${SAVED_VIEWS}/{id}`]: 'saved_view:read',
  [`PATCH ${SAVED_VIEWS}/{id}`]: 'saved_view:write',
  [`DELETE ${SAVED_VIEWS}/{id}`]: 'saved_view:write',
  [`GET ${EMBED_SECRETS}`]: 'sharing_configuration:read',
  [`POST ${EMBED_SECRETS}`]: 'sharing_configuration:write',
  [`DELETE ${EMBED_SECRETS}/{id}`]: 'sharing_configuration:write',
  [`GET ${EMBED_SETTINGS}`]: 'sharing_configuration:read',
  [`PATCH ${EMBED_SETTINGS}`]: 'sharing_configuration:write',
  [`GET ${ANNOTATIONS}`]: 'annotation:read',
  [`POST ${ANNOTATIONS}`]: 'annotation:write',
  [`GET ${ANNOTATIONS}/{id}`]: 'annotation:read',
  [`PATCH ${ANNOTATIONS}/{id}`]: 'annotation:write',
  [`DELETE ${ANNOTATIONS}/{id}`]: 'annotation:write',
  [`GET ${ANNOTATIONS}/{id}/activity`]: 'annotation:read',
  [`GET ${COMMENTS}`]: 'comment:read',
  [`POST ${COMMENTS}`]: 'comment:write',
  [`GET ${COMMENTS}/count`]: 'comment:read',
  [`GET ${COMMENTS}/{id}`]: 'comment:read',
  [`PATCH ${COMMENTS}/{id}`]: 'comment:write',
  [`DELETE ${COMMENTS}/{id}`]: 'comment:write',
  [`GET ${COMMENTS}/{id}/thread`]: 'comment:read',
  [`POST ${COMMENTS}/{id}/complete`]: 'comment:write',
  [`POST ${COMMENTS}/{id}/reopen`]: 'comment:write',
  'POST /batch': 'public',
  'POST /capture': 'public',
  'POST /i/v1/analytics/events': 'public',
  ...Object.fromEntries(
    ['batch', 'track', 'identify', 'page', 'screen', 'group', 'alias'].map((name) => [
      `POST /v1/${name}`,
      'public',
    ]),
  ),
  'POST /mcp': 'key',
  'POST /oauth/introspect': 'key',
  'GET /api/users/@me': 'key',
  'GET /flags/definitions': 'key',
  'GET /api/feature_flag/local_evaluation': 'key',
  'PATCH /api/users/@me': 'account',
  'POST /api/users/@me/password': 'account',
  'GET /api/users/@me/mentions': 'account',
  'POST /api/users/@me/mentions/read': 'account',
  'GET /api/users/@me/second_factor': 'account',
  'POST /api/users/@me/second_factor': 'account',
  'POST /api/users/@me/second_factor/confirm': 'account',
  'POST /api/users/@me/second_factor/recovery_codes': 'account',
  'POST /api/users/@me/second_factor/remove': 'account',
  'GET /api/users/@me/sessions': 'account',
  'DELETE /api/users/@me/sessions/{id}': 'account',
  'GET /api/sign_in': 'public',
  'POST /api/sign_in': 'public',
  'POST /api/sign_in/second_step': 'public',
  'POST /api/sign_out': 'account',
  'POST /api/sign_out/everywhere': 'account',
  [`DELETE ${MEMBERS}/@me`]: 'account',
  'POST /api/reset_password': 'public',
  'POST /api/reset_password/mail': 'public',
  'POST /api/set_up': 'public',
  [`GET ${toTemplate(CONFIGS)}/{id}/settings`]: 'plugin:read',
  [`PATCH ${toTemplate(CONFIGS)}/{id}/settings`]: 'plugin:write',
  [`GET ${toTemplate(CONFIGS)}/{id}/attachments`]: 'plugin:read',
  [`PUT ${toTemplate(CONFIGS)}/{id}/attachments/{key}`]: 'plugin:write',
  [`DELETE ${toTemplate(CONFIGS)}/{id}/attachments/{key}`]: 'plugin:write',
  [`GET ${toTemplate(CONFIGS)}/{id}/runs`]: 'plugin:read',
  [`GET ${toTemplate(CONFIGS)}/{id}/runs/{run_id}`]: 'plugin:read',
  [`GET ${toTemplate(CONFIGS)}/{id}/runs/{run_id}/preview`]: 'plugin:read',
  [`GET ${toTemplate(CONFIGS)}/{id}/runs/{run_id}/skipped`]: 'plugin:read',
  [`POST ${toTemplate(CONFIGS)}/{id}/runs/{run_id}/cancel`]: 'plugin:write',
  [`POST ${toTemplate(CONFIGS)}/{id}/runs/{run_id}/retry`]: 'plugin:write',
  [`GET ${toTemplate(CONFIGS)}/{id}/logs`]: 'plugin:read',
  [`GET ${toTemplate(CONFIGS)}/{id}/live`]: 'plugin:read',
  [`GET ${toTemplate(CONFIGS)}/{id}/metrics`]: 'plugin:read',
  [`GET ${toTemplate(DASHBOARDS)}/tags`]: 'dashboard:read',
  [`GET ${INSIGHTS}/tags`]: 'insight:read',
  [`GET ${toTemplate(DASHBOARDS)}/{id}/activity`]: 'dashboard:read',
  [`PATCH ${toTemplate(DASHBOARDS)}/{dashboard_id}/sharing`]: 'sharing_configuration:write',
  [`POST ${toTemplate(DASHBOARDS)}/{dashboard_id}/sharing/refresh`]: 'sharing_configuration:write',
  [`GET ${ORGANIZATION}/public_links`]: 'organization:write',
  [`POST ${ORGANIZATION}/public_links/revoke`]: 'organization:write',
  ...linksAt(LINKS),
  ...linksAt(INSIGHT_LINKS),
  [`POST ${toTemplate(DASHBOARDS)}/create_from_template_json`]: 'dashboard:write',
  [`GET ${toTemplate(DASHBOARDS)}/{id}/stream_tiles`]: 'dashboard:read',
  ...exportsAt(toTemplate(DASHBOARDS), 'dashboard:read', ['csv', 'json', 'pdf', 'png']),
  ...exportsAt(INSIGHTS, 'insight:read', ['csv', 'json', 'png', 'svg']),
  'POST /api/projects/{project_id}/query': 'query:read',
  'GET /api/projects/{project_id}/query/{id}': 'query:read',
  'POST /api/projects/{project_id}/query/explain': 'query:read',
  [`GET ${INSIGHTS}`]: 'insight:read',
  [`POST ${INSIGHTS}`]: 'insight:write',
  [`GET ${INSIGHTS}/{id}`]: 'insight:read',
  [`PATCH ${INSIGHTS}/{id}`]: 'insight:write',
  [`DELETE ${INSIGHTS}/{id}`]: 'insight:write',
  [`POST ${INSIGHTS}/{id}/duplicate`]: 'insight:write',
  [`GET ${INSIGHTS}/{id}/activity`]: 'insight:read',
  ...noticesAt(ALERTS),
  ...noticesAt(SUBSCRIPTIONS),
  [`GET ${TEMPLATES}`]: 'dashboard_template:read',
  [`POST ${TEMPLATES}`]: 'dashboard_template:write',
  [`GET ${TEMPLATES}/json_schema`]: 'dashboard_template:read',
  [`GET ${TEMPLATES}/{id}`]: 'dashboard_template:read',
  [`PATCH ${TEMPLATES}/{id}`]: 'dashboard_template:write',
  [`DELETE ${TEMPLATES}/{id}`]: 'dashboard_template:write',
  'GET /api/organizations/{organization_id}/plugin_catalog': 'plugin:read',
  [`GET ${PLUGINS}`]: 'plugin:read',
  [`POST ${PLUGINS}`]: 'plugin:write',
  [`GET ${PLUGINS}/{id}`]: 'plugin:read',
  [`PATCH ${PLUGINS}/{id}`]: 'plugin:write',
  [`DELETE ${PLUGINS}/{id}`]: 'plugin:write',
  [`GET ${PLUGINS}/{id}/uses`]: 'plugin:read',
  [`GET ${PLUGINS}/{id}/source`]: 'plugin:read',
  [`PATCH ${PLUGINS}/{id}/update_source`]: 'plugin:write',
  [`POST ${PLUGINS}/{id}/upgrade`]: 'plugin:write',
  [`GET ${PLUGINS}/{id}/check_for_updates`]: 'plugin:write',
  [`POST ${ORGANIZATION}/plugin_drafts/fetch`]: 'plugin:write',
  [`POST ${ORGANIZATION}/plugin_drafts/test`]: 'plugin:write',
  'GET /shared/{file}': 'public',
  'GET /shared/{token}/state': 'public',
  'POST /shared/{token}/password': 'public',
  'POST /shared/{token}/code': 'public',
  'POST /shared/{token}/guest': 'public',
}

/** Operations that only admins and owners of the organization may call. */
export const ADMIN_ONLY: readonly string[] = [
  'PATCH /api/projects/{id}',
  'POST /api/projects',
  'DELETE /api/projects/{id}',
  'POST /api/projects/{id}/rotate_token',
  'POST /api/projects/{project_id}/demo_data',
  'DELETE /api/projects/{project_id}/demo_data',
  `PATCH ${ORGANIZATION}`,
  `POST ${ORGANIZATION}/projects`,
  `PATCH ${ORGANIZATION}/projects/{id}`,
  `DELETE ${ORGANIZATION}/projects/{id}`,
  `PATCH ${MEMBERS}/{user__uuid}`,
  `DELETE ${MEMBERS}/{user__uuid}`,
  `POST ${PROJECT_MEMBERS}`,
  `PATCH ${PROJECT_MEMBERS}/{user__uuid}`,
  `DELETE ${PROJECT_MEMBERS}/{user__uuid}`,
  `GET ${ORGANIZATION}/backups`,
  `GET ${EMBED_SECRETS}`,
  `POST ${EMBED_SECRETS}`,
  `DELETE ${EMBED_SECRETS}/{id}`,
  `GET ${EMBED_SETTINGS}`,
  `PATCH ${EMBED_SETTINGS}`,
  `GET ${ORGANIZATION}/public_links`,
  `POST ${ORGANIZATION}/public_links/revoke`,
  `GET ${INVITES}`,
  `POST ${INVITES}`,
  `DELETE ${INVITES}/{id}`,
  'DELETE /api/projects/{project_id}/persons/{distinct_id}/events',
  `DELETE ${PERSONS}/{id}`,
  `POST ${TEMPLATES}`,
  `PATCH ${TEMPLATES}/{id}`,
  `POST ${PLUGINS}`,
  `PATCH ${PLUGINS}/{id}`,
  `DELETE ${PLUGINS}/{id}`,
  `GET ${PLUGINS}/{id}/uses`,
  `PATCH ${PLUGINS}/{id}/update_source`,
  `POST ${PLUGINS}/{id}/upgrade`,
  `GET ${PLUGINS}/{id}/check_for_updates`,
  `POST ${ORGANIZATION}/plugin_drafts/fetch`,
  `POST ${ORGANIZATION}/plugin_drafts/test`,
]

function exportsAt(path: string, scope: string, formats: string[]): Record<string, string> {
  return Object.fromEntries(formats.map((format) => [`GET ${path}/{id}/export.${format}`, scope]))
}

/** Alerts and subscriptions have the same operations. */
function linksAt(path: string): Record<string, string> {
  return {
    [`GET ${path}`]: 'sharing_configuration:read',
    [`POST ${path}`]: 'sharing_configuration:write',
    [`GET ${path}/{link_id}`]: 'sharing_configuration:read',
    [`PATCH ${path}/{link_id}`]: 'sharing_configuration:write',
    [`DELETE ${path}/{link_id}`]: 'sharing_configuration:write',
    [`GET ${path}/{link_id}/views`]: 'sharing_configuration:read',
    [`GET ${path}/{link_id}/guests`]: 'sharing_configuration:read',
    [`POST ${path}/{link_id}/guests`]: 'sharing_configuration:write',
    [`DELETE ${path}/{link_id}/guests/{guest_id}`]: 'sharing_configuration:write',
  }
}

function noticesAt(path: string): Record<string, string> {
  return {
    [`GET ${path}`]: 'alert:read',
    [`POST ${path}`]: 'alert:write',
    [`GET ${path}/{id}`]: 'alert:read',
    [`PATCH ${path}/{id}`]: 'alert:write',
    [`DELETE ${path}/{id}`]: 'alert:write',
    [`POST ${path}/{id}/rotate_secret`]: 'alert:write',
    [`POST ${path}/{id}/test`]: 'alert:write',
    [`GET ${path}/{id}/activity`]: 'alert:read',
    [`GET ${path}/{id}/deliveries`]: 'alert:read',
    [`POST ${path}/{id}/deliveries/{delivery_id}/retry`]: 'alert:write',
  }
}

/** `/a/:id` -> `/a/{id}` */
export function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}
