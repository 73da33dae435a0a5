import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { refusedDelete } from '#server/access/refused-delete.ts'
import type { PageRange } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { listActivity } from '#server/features/activity/store.ts'
import { toRefreshPolicy } from '#server/features/results/refresh.ts'
import type { Results } from '#server/features/results/results.ts'
import { requireId, toId } from '#server/http/ids.ts'
import { sendJson } from '#server/http/json-text.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageJson, pageOf } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { listUsedTags, UsedTag } from '../tags.ts'
import { createDashboard } from './create-dashboard.ts'
import { createDashboardFromJson } from './create-from-json.ts'
import { listDashboards } from './list.ts'
import { toRequestOverrides } from './override.ts'
import { patchDashboard } from './patch-dashboard.ts'
import { getDashboardRow, getDashboardRows, serializeDashboard } from './read-dashboard.ts'
import {
  Dashboard,
  DashboardFromJson,
  DashboardListItem,
  DashboardParams,
  DashboardPatchQuery,
  DashboardQuery,
  DashboardReadQuery,
  DashboardWrite,
} from './schema.ts'
import { createTileRefresher } from './tile-refresher.ts'
import { createTileStreams } from './tile-stream.ts'

interface DashboardRoutesOptions {
  readonly db: Db
  readonly results: Results
}

const tags = ['Dashboards']

/** Mounted at /api/environments/:project_id/dashboards */
export const dashboardRoutes: FastifyPluginAsyncTypebox<DashboardRoutesOptions> = async (
  app,
  { db, results },
) => {
  const keepFresh = createTileRefresher(db, results, (err) =>
    app.log.warn({ err }, 'tiles not looked through'),
  )
  const tileStreams = createTileStreams(app, db, results)

  app.get('', {
    config: { scope: 'dashboard:read', cached: 'project' },
    schema: {
      operationId: 'listDashboards',
      summary: 'List dashboards',
      description: 'Pinned ones first, then by name, unless `order` says otherwise.',
      tags,
      params: ProjectOnlyParams,
      querystring: DashboardQuery,
      response: { 200: pageOf(DashboardListItem) },
    },
    handler: async (request, reply) => {
      const { limit: _, offset: __, ...filters } = request.query
      const list = (window: PageRange) => listDashboards(db, request.caller, filters, window)
      return sendJson(reply, await pageJson(request, list))
    },
  })

  app.get('/tags', {
    config: { scope: 'dashboard:read', cached: 'project' },
    schema: {
      operationId: 'listDashboardTags',
      summary: 'List the tags of dashboards',
      description: 'Of those that are not in the trash; the most used first, at most 1000.',
      tags,
      params: ProjectOnlyParams,
      response: { 200: Type.Array(UsedTag) },
    },
    handler: ({ caller }) => listUsedTags(db, caller.projectId, 'dashboards'),
  })

  app.post('', {
    config: { scope: 'dashboard:write' },
    schema: {
      operationId: 'createDashboard',
      summary: 'Make a dashboard',
      description: 'Empty, from a template, or as a copy of another.',
      tags,
      params: ProjectOnlyParams,
      body: DashboardWrite,
      response: { 201: Dashboard },
    },
    handler: async (request, reply) => {
      const made = await createDashboard(db, request.caller, request.body)
      return sendJson(reply, await serializeDashboard(db, results, request.caller, made), 201)
    },
  })

  app.post('/create_from_template_json', {
    config: { scope: 'dashboard:write' },
    schema: {
      operationId: 'createDashboardFromTemplateJson',
      summary: 'Make a dashboard from a template that is sent along',
      tags,
      params: ProjectOnlyParams,
      body: DashboardFromJson,
      response: { 200: Dashboard },
    },
    handler: async ({ caller, body }, reply) => {
      const made = await createDashboardFromJson(db, caller, body.template)
      return sendJson(reply, await serializeDashboard(db, results, caller, made))
    },
  })

  app.get('/:id', {
    config: { scope: 'dashboard:read', cached: 'dashboard' },
    schema: {
      operationId: 'getDashboard',
      summary: 'Read a dashboard with its tiles',
      description: 'Also one that is in the trash.',
      tags,
      params: DashboardParams,
      querystring: DashboardReadQuery,
      response: { 200: Dashboard },
    },
    handler: async ({ caller, params, query }, reply) => {
      const rows = await getDashboardRows(db, caller, requireId(params.id))
      const refresh = toRefreshPolicy(query.refresh ?? 'lazy_async')
      return sendJson(
        reply,
        await serializeDashboard(db, results, caller, rows, refresh, toRequestOverrides(query)),
      )
    },
    // also after an answer from the cache, to which the handler was not asked
    onResponse: async ({ caller, params, query }, reply) => {
      const id = toId(params.id)
      if (reply.statusCode >= 400 || id === undefined || query.refresh !== undefined) return
      keepFresh(caller.projectId, id)
    },
  })

  app.patch('/:id', {
    config: { scope: 'dashboard:write' },
    schema: {
      operationId: 'updateDashboard',
      summary: 'Change a dashboard',
      description: 'Only what is sent changes; `tiles` adds and changes single tiles.',
      tags,
      params: DashboardParams,
      querystring: DashboardPatchQuery,
      body: DashboardWrite,
      response: { 200: Dashboard, 409: Conflict },
    },
    handler: async (request, reply) => {
      const id = requireId(request.params.id)
      const { seen_activity } = request.query
      const changed = await patchDashboard(db, request.caller, id, request.body, seen_activity)
      if (changed.seen !== undefined) reply.header('x-seen-activity', changed.seen)
      return sendJson(reply, await serializeDashboard(db, results, request.caller, changed))
    },
  })

  app.delete(
    '/:id',
    refusedDelete({
      scope: 'dashboard:write',
      operationId: 'deleteDashboard',
      tags,
      params: DashboardParams,
    }),
  )

  app.get('/:id/stream_tiles', {
    config: { scope: 'dashboard:read' },
    schema: {
      operationId: 'streamDashboardTiles',
      summary: 'Watch the tiles until all are up to date',
      description:
        'Server-sent events: `metadata` with the dashboard as it is known, `tile` for each that has a newer answer, `complete`.',
      tags,
      params: DashboardParams,
      querystring: DashboardReadQuery,
      response: {
        200: {
          description: 'Server-sent events.',
          content: { 'text/event-stream': { schema: Type.String() } },
        },
      },
    },
    handler: async (request, reply) => {
      const { params, query } = request
      return tileStreams.open(request, reply, requireId(params.id), toRequestOverrides(query))
    },
  })

  app.get('/:id/activity', {
    config: { scope: 'dashboard:read' },
    schema: {
      operationId: 'listDashboardActivity',
      summary: 'List who changed what, newest first',
      tags,
      params: DashboardParams,
      querystring: PageQuery,
      response: { 200: pageOf(Activity) },
    },
    handler: async (request) => {
      const { id } = await getDashboardRow(db, request.caller, requireId(request.params.id))
      const { projectId } = request.caller
      return page(request, (window) => listActivity(db, projectId, 'Dashboard', id, window))
    },
  })
}
