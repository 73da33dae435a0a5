import type { ToolDescriptor } from '../tool.ts'
import { PAGE } from './data.ts'

const TILE_RESULT = ['result', 'columns', 'query_status', 'is_cached', 'last_refresh'].map(
  (field) => `tiles.*.insight.${field}`,
)
const TILE_RECORD = ['created_at', 'created_by', 'last_modified_at', 'last_modified_by']
/** Fields that only the web app needs. */
const UNNEEDED = [
  ...['effective_restriction_level', 'effective_privilege_level', 'delete_insights'],
  ...['is_sample', 'deleted', ...TILE_RECORD].map((field) => `tiles.*.insight.${field}`),
  ...TILE_RECORD.map((field) => `tiles.*.text.${field}`),
  ...['tiles.*.is_cached', 'tiles.*.filters_not_applied'],
]
const DEFINITION = [...TILE_RESULT, ...UNNEEDED, 'tiles.*.last_refresh']

export const DASHBOARD_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'dashboards-get-all',
    title: 'List dashboards',
    description: 'Lists dashboards without their tiles: pinned ones first, then by name.',
    operation: 'listDashboards',
    inputs: ['search', 'tags', 'pinned', 'order', ...PAGE],
  },
  {
    name: 'dashboard-get',
    title: 'Get dashboard',
    description:
      'Returns a dashboard with its tiles and their queries. dashboard-insights-run returns the results.',
    operation: 'getDashboard',
    fixed: { refresh: 'force_cache' },
    omit: DEFINITION,
  },
  {
    name: 'dashboard-insights-run',
    title: 'Get the results of a dashboard',
    description: 'Returns the fresh results of all insights on a dashboard.',
    operation: 'getDashboard',
    inputs: ['filters_override', 'variables_override'],
    fixed: { refresh: 'blocking', sections_override: 'open' },
    omit: [
      ...UNNEEDED,
      ...[
        'layouts',
        'color',
        'text',
        'insight.query',
        'insight.is_cached',
        'filters_overrides',
      ].map((field) => `tiles.*.${field}`),
    ],
  },
  {
    name: 'dashboard-picture',
    title: 'Draw dashboard',
    description: 'Draws a whole dashboard as a PNG picture.',
    operation: 'exportDashboardPng',
    inputs: ['width', 'scheme'],
  },
  {
    name: 'dashboard-create',
    title: 'Create dashboard',
    description:
      'Creates a dashboard: empty, with `tiles`, from a template (`use_template`, see dashboard-templates-list) or as a copy (`use_dashboard`).',
    operation: 'createDashboard',
    inputs: ['name', 'description', 'pinned', 'tags', 'tiles', 'use_template', 'use_dashboard'],
    required: ['name'],
    omit: DEFINITION,
  },
  {
    name: 'dashboard-update',
    title: 'Update dashboard',
    description:
      'Changes the fields that are given. `tiles` adds tiles, and changes those whose `id` is given; a layout is `{"sm": {"x", "y", "w", "h"}}` on 12 columns.',
    operation: 'updateDashboard',
    inputs: ['name', 'description', 'pinned', 'tags', 'filters', 'variables', 'tiles'],
    omit: DEFINITION,
  },
  {
    name: 'dashboard-delete',
    title: 'Delete dashboard',
    description: 'Moves a dashboard to the trash and ends its public link. Its insights stay.',
    operation: 'updateDashboard',
    fixed: { deleted: true },
    isDestructive: true,
    omit: ['tiles', ...UNNEEDED],
  },
  {
    name: 'dashboard-templates-list',
    title: 'List dashboard templates',
    description: 'Lists templates without their tiles.',
    operation: 'listDashboardTemplates',
    inputs: ['search', ...PAGE],
    omit: ['results.*.tiles', 'results.*.variables', 'results.*.dashboard_filters'],
  },
  {
    name: 'dashboard-templates-retrieve',
    title: 'Get dashboard template',
    description: 'Returns a template with its tiles and variables.',
    operation: 'getDashboardTemplate',
  },
]
