import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '../../db/schema.ts'
import type { Window } from '../../db/window.ts'
import { requireId } from '../../http/ids.ts'
import { sendJson } from '../../http/json-text.ts'
import { sendNothing } from '../../http/negotiation.ts'
import { PageQuery, page, pageOf, pageText } from '../../http/page.ts'
import { Activity } from '../activity/schema.ts'
import { listActivity } from '../activity/store.ts'
import { collaboratorRoutes } from './collaborators/routes.ts'
import { createDashboard } from './create-dashboard.ts'
import { listDashboards } from './list.ts'
import { patchDashboard } from './patch-dashboard.ts'
import { getDashboard, getDashboardRow } from './read-dashboard.ts'
import {
  Dashboard,
  DashboardListItem,
  DashboardParams,
  DashboardQuery,
  DashboardWrite,
  ProjectOnlyParams,
} from './schema.ts'
import { sharingRoutes } from './sharing/routes.ts'

const tags = ['Dashboards']

/** Mounted at /api/environments/:project_id/dashboards and its alias under /api/projects */
export const dashboardRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'dashboard:read', cached: 'project' },
    schema: {
      operationId: 'listDashboards',
      summary: 'List dashboards',
      description: 'Pinned ones first, then by name.',
      tags,
      params: ProjectOnlyParams,
      querystring: DashboardQuery,
      response: { 200: pageOf(DashboardListItem) },
    },
    handler: async (request, reply) => {
      const { limit: _, offset: __, ...filters } = request.query
      const list = (window: Window) => listDashboards(db, request.caller, filters, window)
      return sendJson(reply, await pageText(request, list))
    },
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
    handler: async (request, reply) =>
      sendJson(reply, await createDashboard(db, request.caller, request.body), 201),
  })

  app.get('/:id', {
    config: { scope: 'dashboard:read', cached: 'dashboard' },
    schema: {
      operationId: 'getDashboard',
      summary: 'Read a dashboard with its tiles',
      description: 'Also one that is in the trash.',
      tags,
      params: DashboardParams,
      response: { 200: Dashboard },
    },
    handler: async (request, reply) =>
      sendJson(reply, await getDashboard(db, request.caller, requireId(request.params.id))),
  })

  app.patch('/:id', {
    config: { scope: 'dashboard:write' },
    schema: {
      operationId: 'updateDashboard',
      summary: 'Change a dashboard',
      description: 'Only what is sent changes; `tiles` adds and changes single tiles.',
      tags,
      params: DashboardParams,
      body: DashboardWrite,
      response: { 200: Dashboard },
    },
    handler: async (request, reply) => {
      const id = requireId(request.params.id)
      return sendJson(reply, await patchDashboard(db, request.caller, id, request.body))
    },
  })

  app.delete('/:id', {
    config: { scope: 'dashboard:write', alwaysRefused: true },
    schema: {
      operationId: 'deleteDashboard',
      summary: 'Refused: delete by PATCH',
      description: 'Hard delete is not allowed. Set `deleted` to true with PATCH.',
      tags,
      params: DashboardParams,
      response: { 405: Type.Null({ description: 'Always, without a body.' }) },
    },
    // in a hook: whatever body comes along need not be read
    onRequest: async (_request, reply) =>
      sendNothing(reply.header('allow', 'GET, HEAD, PATCH, OPTIONS'), 405),
    handler: () => {},
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

  app.register(collaboratorRoutes, { prefix: '/:dashboard_id/collaborators', db })
  app.register(sharingRoutes, { prefix: '/:dashboard_id/sharing', db })
}
