import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { refusedDelete } from '#server/access/refused-delete.ts'
import { sendRead } from '#server/access/repeated-reads.ts'
import { whileAllowed } from '#server/access/while-allowed.ts'
import type { PageRange } from '#server/db/page-range.ts'
import { pageItemActivity } from '#server/features/activity/item-activity.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { toRequestPolicy } from '#server/features/results/cache/refresh.ts'
import { requireId } from '#server/http/ids.ts'
import { sendJson } from '#server/http/json-text.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, pageJson, pageSchema, toPageRequest } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { requireTrashSeen } from '../rights.ts'
import { listUsedTags, UsedTag } from '../tag-store.ts'
import {
  createDashboard,
  createDashboardFromJson,
  getDashboardRow,
  getDashboardWithTiles,
  listDashboards,
  patchDashboard,
} from './dashboards.ts'
import { createKeptItems, isWhole, listKeptItems } from './kept-items.ts'
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
import { type DashboardDeps, serializeDashboard } from './serialize.ts'
import { createTileRefresher } from './tile-refresher.ts'
import { toRequestOverrides, toSectionChoices } from './tile-results.ts'
import { createTileStreams } from './tile-stream.ts'

const tags = ['Dashboards']

/** Mounted at /api/environments/:project_id/dashboards */
export const dashboardRoutes: FastifyPluginAsyncTypebox<DashboardDeps> = async (
  app,
  { db, results },
) => {
  const deps = { db, results }
  const tileRefresher = createTileRefresher(deps, (err) =>
    app.log.warn({ err }, 'could not refresh the tiles of a dashboard'),
  )
  const tileStreams = createTileStreams(app, deps)
  const items = createKeptItems()

  app.get('', {
    config: { scope: 'dashboard:read', viewers: true, cached: 'project' },
    schema: {
      operationId: 'listDashboards',
      summary: 'List dashboards',
      description: 'Pinned dashboards first, then by name, unless `order` is given.',
      tags,
      params: ProjectOnlyParams,
      querystring: DashboardQuery,
      response: { 200: pageSchema(DashboardListItem) },
    },
    handler: async (request, reply) => {
      const { limit: _, offset: __, format: ___, ...filters } = request.query
      const { caller, grant } = request
      requireTrashSeen(caller, filters.deleted)
      const isKept = isWhole(filters) && request.cacheKey !== '' // a fresh response is read from the database
      const list = (range: PageRange) =>
        isKept
          ? listKeptItems({ db, items }, grant, { ...filters, range })
          : listDashboards(db, caller, filters, range)
      const page = toPageRequest(request)
      return sendRead(request, reply, () => pageJson(page, list))
    },
  })

  app.get('/tags', {
    config: { scope: 'dashboard:read', viewers: true, cached: 'project' },
    schema: {
      operationId: 'listDashboardTags',
      summary: 'List the tags of dashboards',
      description: 'Tags of dashboards not in the trash, most used first, at most 1000.',
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
      summary: 'Create a dashboard',
      description:
        'Empty, from a template, or as a copy of another dashboard. A query in the request also needs the scope `query:read`.',
      tags,
      params: ProjectOnlyParams,
      body: DashboardWrite,
      response: { 201: Dashboard },
    },
    handler: async (request, reply) => {
      const created = await createDashboard(db, request.caller, request.body)
      return sendJson(reply, await serializeDashboard(deps, request.caller, created), 201)
    },
  })

  app.post('/create_from_template_json', {
    config: { scope: 'dashboard:write' },
    schema: {
      operationId: 'createDashboardFromTemplateJson',
      summary: 'Create a dashboard from a template in the request',
      description: 'A query in the request also needs the scope `query:read`.',
      tags,
      params: ProjectOnlyParams,
      body: DashboardFromJson,
      response: { 200: Dashboard },
    },
    handler: async ({ caller, body }, reply) => {
      const created = await createDashboardFromJson(db, caller, body.template)
      return sendJson(reply, await serializeDashboard(deps, caller, created))
    },
  })

  app.get('/:id', {
    config: {
      scope: 'dashboard:read',
      viewers: true,
      cached: 'dashboard',
      onCachedRead: ({ caller, dashboardId }) =>
        tileRefresher.refresh(caller.projectId, dashboardId),
    },
    schema: {
      operationId: 'getDashboard',
      summary: 'Get a dashboard with its tiles',
      description: 'Also returns a dashboard in the trash.',
      tags,
      params: DashboardParams,
      querystring: DashboardReadQuery,
      response: { 200: Dashboard },
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      const id = requireId(params.id)
      const policy = toRequestPolicy(query.refresh ?? 'lazy_async', request, reply)
      const sections = toSectionChoices(query.sections_override)
      const options = { policy, overrides: toRequestOverrides(caller, query), sections }
      tileRefresher.open(caller.projectId, id, sections)
      const read = async () =>
        serializeDashboard(deps, caller, await getDashboardWithTiles(db, caller, id), options)
      return policy.wait
        ? sendJson(reply, await whileAllowed(request, read))
        : sendRead(request, reply, read)
    },
  })

  app.patch('/:id', {
    config: { scope: 'dashboard:write' },
    schema: {
      operationId: 'updateDashboard',
      summary: 'Update a dashboard',
      description:
        'Changes only the fields sent; `tiles` adds and updates single tiles. A query in the request also needs the scope `query:read`.',
      tags,
      params: DashboardParams,
      querystring: DashboardPatchQuery,
      body: DashboardWrite,
      response: { 200: Dashboard, 409: Conflict },
    },
    handler: async (request, reply) => {
      const { caller, body, params, query } = request
      const id = requireId(params.id)
      const { seenActivity, ...patched } = await patchDashboard(db, caller, {
        id,
        body,
        seenActivity: query.seen_activity,
      })
      if (seenActivity !== undefined) reply.header('x-seen-activity', seenActivity)
      return sendJson(reply, await serializeDashboard(deps, caller, patched))
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
    config: { scope: 'dashboard:read', viewers: true },
    schema: {
      operationId: 'streamDashboardTiles',
      summary: 'Stream tiles until all are fresh',
      description:
        'Server-sent events: `metadata` with the dashboard and its cached results, `tile` for each tile with a newer result, `complete`.',
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
      const { caller, params, query } = request
      return tileStreams.open(request, reply, requireId(params.id), {
        overrides: toRequestOverrides(caller, query),
        sections: toSectionChoices(query.sections_override),
      })
    },
  })

  app.get('/:id/activity', {
    config: { scope: 'dashboard:read', unappliedFilters: ['page'] },
    schema: {
      operationId: 'listDashboardActivity',
      summary: 'List the activity of a dashboard, newest first',
      tags,
      params: DashboardParams,
      querystring: PageQuery,
      response: { 200: pageSchema(Activity) },
    },
    handler: async (request) => {
      const { id } = await getDashboardRow(db, request.caller, requireId(request.params.id))
      return pageItemActivity(db, request, 'Dashboard', id)
    },
  })
}
