import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { refusedDelete } from '#server/access/refused-delete.ts'
import { sendRead } from '#server/access/repeated-reads.ts'
import { whileAllowed } from '#server/access/while-allowed.ts'
import type { PageRange } from '#server/db/page-range.ts'
import { pageItemActivity } from '#server/features/activity/item-activity.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { toRequestPolicy } from '#server/features/results/cache/refresh.ts'
import { sendJson } from '#server/http/json-text.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, pageJson, pageSchema, toPageRequest } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { requireTrashSeen } from '../rights.ts'
import { listUsedTags, UsedTag } from '../tag-store.ts'
import { createInsight, duplicateInsight, getInsightRow, patchInsight } from './insights.ts'
import { Insight, InsightParams, InsightQuery, InsightReadQuery, InsightWrite } from './schema.ts'
import { type InsightDeps, listInsights, serializeInsight } from './serialize.ts'

const tags = ['Insights']
const UNAPPLIED_FILTERS = [
  'created_date_from',
  'created_date_to',
  'date_from',
  'date_to',
  'last_viewed_date_from',
  'last_viewed_date_to',
  'events',
  'feature_flag',
  'hide_feature_flag_insights',
  'insight',
  'user',
]

/** Mounted at /api/environments/:project_id/insights */
export const insightRoutes: FastifyPluginAsyncTypebox<InsightDeps> = async (
  app,
  { db, results },
) => {
  const deps = { db, results }

  app.get('', {
    config: {
      scope: 'insight:read',
      viewers: true,
      cached: 'project',
      unappliedFilters: UNAPPLIED_FILTERS,
    },
    schema: {
      operationId: 'listInsights',
      summary: 'List insights',
      tags,
      params: ProjectOnlyParams,
      querystring: InsightQuery,
      response: { 200: pageSchema(Insight) },
    },
    handler: async (request, reply) => {
      const {
        limit: _,
        offset: __,
        format: ___,
        refresh = 'force_cache',
        ...filters
      } = request.query
      const { caller } = request
      requireTrashSeen(caller, filters.deleted)
      const policy = toRequestPolicy(refresh, request, reply)
      const list = (range: PageRange) => listInsights(deps, caller, filters, { range, policy })
      const page = toPageRequest(request)
      const read = () => pageJson(page, list)
      return policy.wait
        ? sendJson(reply, await whileAllowed(request, read))
        : sendRead(request, reply, read)
    },
  })

  app.get('/tags', {
    config: { scope: 'insight:read', viewers: true, cached: 'project' },
    schema: {
      operationId: 'listInsightTags',
      summary: 'List the tags of insights',
      description: 'Tags of insights not in the trash, most used first, at most 1000.',
      tags,
      params: ProjectOnlyParams,
      response: { 200: Type.Array(UsedTag) },
    },
    handler: ({ caller }) => listUsedTags(db, caller.projectId, 'insights'),
  })

  app.post('', {
    config: { scope: 'insight:write' },
    schema: {
      operationId: 'createInsight',
      summary: 'Create an insight',
      description:
        'It becomes the last tile of each of `dashboards`. A query in the request also needs the scope `query:read`.',
      tags,
      params: ProjectOnlyParams,
      body: InsightWrite,
      response: { 201: Insight },
    },
    handler: async ({ caller, body }, reply) => {
      const created = await createInsight(db, caller, body)
      return sendJson(reply, await serializeInsight(deps, caller, created), 201)
    },
  })

  app.get('/:id', {
    config: {
      scope: 'insight:read',
      viewers: true,
      unappliedFilters: ['from_dashboard', 'filters_override', 'variables_override'],
    },
    schema: {
      operationId: 'getInsight',
      summary: 'Get an insight',
      description: 'Also returns an insight in the trash.',
      tags,
      params: InsightParams,
      querystring: InsightReadQuery,
      response: { 200: Insight },
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      const row = await getInsightRow(db, caller, params.id)
      const policy = toRequestPolicy(query.refresh ?? 'lazy_async', request, reply)
      const serialize = () => serializeInsight(deps, caller, row, policy)
      return sendJson(
        reply,
        policy.wait ? await whileAllowed(request, serialize) : await serialize(),
      )
    },
  })

  app.patch('/:id', {
    config: { scope: 'insight:write' },
    schema: {
      operationId: 'updateInsight',
      summary: 'Update an insight',
      description:
        'Changes only the fields sent, on every dashboard that shows the insight. Another query also needs the scope `query:read`.',
      tags,
      params: InsightParams,
      body: InsightWrite,
      response: { 200: Insight },
    },
    handler: async ({ caller, params, body }, reply) => {
      const patched = await patchInsight(db, caller, { idOrShortId: params.id, body })
      return sendJson(reply, await serializeInsight(deps, caller, patched))
    },
  })

  app.delete(
    '/:id',
    refusedDelete({
      scope: 'insight:write',
      operationId: 'deleteInsight',
      tags,
      params: InsightParams,
    }),
  )

  app.post('/:id/duplicate', {
    config: { scope: 'insight:write' },
    schema: {
      operationId: 'duplicateInsight',
      summary: 'Duplicate an insight',
      description: 'The copy is on no dashboard.',
      tags,
      params: InsightParams,
      response: { 201: Insight, 409: Conflict },
    },
    handler: async ({ caller, params }, reply) => {
      const copy = await duplicateInsight(db, caller, params.id)
      return sendJson(reply, await serializeInsight(deps, caller, copy), 201)
    },
  })

  app.get('/:id/activity', {
    config: { scope: 'insight:read', unappliedFilters: ['page'] },
    schema: {
      operationId: 'listInsightActivity',
      summary: 'List the activity of an insight, newest first',
      tags,
      params: InsightParams,
      querystring: PageQuery,
      response: { 200: pageSchema(Activity) },
    },
    handler: async (request) => {
      const { id } = await getInsightRow(db, request.caller, request.params.id)
      return pageItemActivity(db, request, 'Insight', id)
    },
  })
}
