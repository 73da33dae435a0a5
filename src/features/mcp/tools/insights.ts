import type { ToolDescriptor } from '../tool.ts'
import { PAGE } from './data.ts'

/** The result, and fields that only the web app needs. */
const RESULT = [
  ...['result', 'columns', 'types', 'hasMore', 'is_cached', 'query_status', 'last_refresh'],
  ...['filters', 'order', 'is_sample', 'cache_target_age', 'next_allowed_client_refresh'],
  ...['dashboard_tiles', 'effective_restriction_level', 'effective_privilege_level', 'timezone'],
]

const FIELDS = ['name', 'description', 'query', 'tags', 'favorited', 'dashboards'] as const

export const INSIGHT_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'insights-list',
    title: 'List insights',
    description:
      'Lists saved insights, newest change first, without queries and results. insight-get returns the query, insight-query the result.',
    operation: 'listInsights',
    inputs: ['search', 'tags', 'favorited', 'dashboards', 'order', ...PAGE],
    fixed: { basic: true },
    omit: ['query', ...RESULT].map((field) => `results.*.${field}`),
  },
  {
    name: 'insight-get',
    title: 'Get insight',
    description: 'Returns an insight with its query, without the result.',
    operation: 'getInsight',
    fixed: { refresh: 'force_cache' },
    omit: RESULT,
  },
  {
    name: 'insight-query',
    title: 'Get the result of an insight',
    description: 'Returns the fresh result of a saved insight.',
    operation: 'getInsight',
    fixed: { refresh: 'blocking' },
    omit: RESULT.slice(RESULT.indexOf('filters')),
  },
  {
    name: 'insight-picture',
    title: 'Draw insight',
    description: 'Draws the chart of a saved insight as a PNG picture.',
    operation: 'exportInsightPng',
    inputs: ['width', 'height', 'scheme'],
  },
  {
    name: 'insight-create',
    title: 'Create insight',
    description:
      'Saves a query as an insight, and shows it on the dashboards in `dashboards`. Run the query first to see that it is right.',
    operation: 'createInsight',
    inputs: FIELDS,
    required: ['query'],
    omit: RESULT,
  },
  {
    name: 'insight-update',
    title: 'Update insight',
    description: 'Changes the fields that are given. Read the insight with insight-get first.',
    operation: 'updateInsight',
    inputs: FIELDS,
    omit: RESULT,
  },
  {
    name: 'insight-delete',
    title: 'Delete insight',
    description: 'Moves an insight to the trash. Its tiles disappear from dashboards.',
    operation: 'updateInsight',
    fixed: { deleted: true },
    isDestructive: true,
    omit: ['query', ...RESULT],
  },
]
