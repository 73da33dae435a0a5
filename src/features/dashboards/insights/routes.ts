import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { refusedDelete } from '#server/access/refused-delete.ts'
import type { PageRange } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { listActivity } from '#server/features/activity/store.ts'
import type { Results } from '#server/features/results/results.ts'
import { sendJson } from '#server/http/json-text.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageJson, pageOf } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { listUsedTags, UsedTag } from '../tags.ts'
import { createInsight, duplicateInsight } from './create-insight.ts'
import { listInsights } from './list.ts'
import { patchInsight } from './patch-insight.ts'
import { getInsightRow, serializeInsight } from './read-insight.ts'
import { Insight, InsightParams, InsightQuery, InsightReadQuery, InsightWrite } from './schema.ts'

interface InsightRoutesOptions {
  readonly db: Db
  readonly results: Results
}

const tags = ['Insights']

/** Mounted at /api/environments/:project_id/insights */
export const insightRoutes: FastifyPluginAsyncTypebox<InsightRoutesOptions> = async (
  app,
  { db, results },
) => {
  app.get('', {
    config: { scope: 'insight:read', cached: 'project' },
    schema: {
      operationId: 'listInsights',
      summary: 'List insights',
      tags,
      params: ProjectOnlyParams,
      querystring: InsightQuery,
      response: { 200: pageOf(Insight) },
    },
    handler: async (request, reply) => {
      const { limit: _, offset: __, ...filters } = request.query
      const list = (window: PageRange) => listInsights(db, results, request.caller, filters, window)
      return sendJson(reply, await pageJson(request, list))
    },
  })

  app.get('/tags', {
    config: { scope: 'insight:read', cached: 'project' },
    schema: {
      operationId: 'listInsightTags',
      summary: 'List the tags of insights',
      description: 'Of those that are not in the trash; the most used first, at most 1000.',
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
      summary: 'Make an insight',
      description: 'On each of `dashboards` it becomes the last tile.',
      tags,
      params: ProjectOnlyParams,
      body: InsightWrite,
      response: { 201: Insight },
    },
    handler: async ({ caller, body }, reply) => {
      const made = await createInsight(db, caller, body)
      return sendJson(reply, await serializeInsight(db, results, caller, made), 201)
    },
  })

  app.get('/:id', {
    config: { scope: 'insight:read' },
    schema: {
      operationId: 'getInsight',
      summary: 'Read an insight',
      description: 'Also one that is in the trash.',
      tags,
      params: InsightParams,
      querystring: InsightReadQuery,
      response: { 200: Insight },
    },
    handler: async ({ caller, params, query }, reply) => {
      const row = await getInsightRow(db, caller, params.id)
      return sendJson(
        reply,
        await serializeInsight(db, results, caller, row, query.refresh ?? 'lazy_async'),
      )
    },
  })

  app.patch('/:id', {
    config: { scope: 'insight:write' },
    schema: {
      operationId: 'updateInsight',
      summary: 'Change an insight',
      description: 'Only what is sent changes, wherever the insight is shown.',
      tags,
      params: InsightParams,
      body: InsightWrite,
      response: { 200: Insight },
    },
    handler: async ({ caller, params, body }, reply) => {
      const changed = await patchInsight(db, caller, params.id, body)
      return sendJson(reply, await serializeInsight(db, results, caller, changed))
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
      summary: 'Copy an insight',
      description: 'The copy is on no dashboard.',
      tags,
      params: InsightParams,
      response: { 201: Insight, 409: Conflict },
    },
    handler: async ({ caller, params }, reply) => {
      const copy = await duplicateInsight(db, caller, params.id)
      return sendJson(reply, await serializeInsight(db, results, caller, copy), 201)
    },
  })

  app.get('/:id/activity', {
    config: { scope: 'insight:read' },
    schema: {
      operationId: 'listInsightActivity',
      summary: 'List who changed what, newest first',
      tags,
      params: InsightParams,
      querystring: PageQuery,
      response: { 200: pageOf(Activity) },
    },
    handler: async (request) => {
      const { id } = await getInsightRow(db, request.caller, request.params.id)
      const { projectId } = request.caller
      return page(request, (window) => listActivity(db, projectId, 'Insight', id, window))
    },
  })
}
