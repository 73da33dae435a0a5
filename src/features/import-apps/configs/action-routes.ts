import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { pageItemActivity } from '#server/features/activity/item-activity.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { sendIfJsonAccepted } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, pageSchema } from '#server/http/page.ts'
import { getConfigRow } from './configs.ts'
import { Frontend, sendFrontend } from './frontend.ts'
import { type MigrateDeps, migrateConfig } from './migrate.ts'
import {
  Migrated,
  PipelineConfigParams,
  PipelineConfigPatch,
  PipelineConfigSettings,
  PipelineConfigSettingsPatch,
} from './schema.ts'
import { getSettings, patchSettings } from './settings.ts'

export type PipelineConfigOptions = MigrateDeps

const tags = ['Import apps']
const params = PipelineConfigParams
const EMPTY_BY_DEFAULT = 'The body is empty unless `Accept` names `application/json`.'

/** Activity, frontend, migration and settings of one config. */
export const actionRoutes: FastifyPluginAsyncTypebox<PipelineConfigOptions> = async (app, deps) => {
  const { db } = deps
  app.get('/:id/activity', {
    config: { scope: 'plugin:read', unappliedFilters: ['page'] },
    schema: {
      operationId: 'listPipelineConfigActivity',
      summary: 'List the activity of an import app config, newest first',
      description: EMPTY_BY_DEFAULT,
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageSchema(Activity) },
    },
    handler: async (request, reply) => {
      const { projectId } = request.caller
      const { id } = await getConfigRow(db, projectId, requireId(request.params.id))
      return sendIfJsonAccepted(request, reply, () =>
        pageItemActivity(db, request, 'PluginConfig', id),
      )
    },
  })

  app.get('/:id/frontend', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigFrontend',
      summary: 'Get the frontend of an import app',
      description: 'The body is empty unless `Accept` names JSON or JavaScript.',
      tags,
      params,
      response: {
        200: {
          description: 'The frontend, its compile error, or the information that there is none.',
          content: {
            'application/json': { schema: Frontend },
            'text/javascript': { schema: Type.String() },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const { plugin_id } = await getConfigRow(
        db,
        request.caller.projectId,
        requireId(request.params.id),
      )
      return sendFrontend(request, reply, db, plugin_id)
    },
  })

  app.post('/:id/migrate', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'migratePipelineConfig',
      summary: "Migrate the settings to the installed version's schema",
      description: `Missing settings get their defaults, unknown ones are dropped and types are converted. An app's own \`migrateConfig\` runs first. ${EMPTY_BY_DEFAULT}`,
      tags,
      params,
      body: PipelineConfigPatch,
      response: { 200: Migrated, 409: Conflict },
    },
    handler: async (request, reply) => {
      const id = requireId(request.params.id)
      const migrated = await migrateConfig(deps, request.caller, id)
      return sendIfJsonAccepted(request, reply, migrated)
    },
  })

  app.get('/:id/settings', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigSettings',
      summary: 'Get the settings with secrets masked',
      tags,
      params,
      response: { 200: PipelineConfigSettings },
    },
    handler: (request) => getSettings(deps, request.caller.projectId, requireId(request.params.id)),
  })

  app.patch('/:id/settings', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'updatePipelineConfigSettings',
      summary: 'Update settings',
      description:
        'Settings that are not sent stay; null removes one. A secret stays if it is null or the mask; an empty string removes it. A change of an address requires every secret in the same request.',
      tags,
      params,
      body: PipelineConfigSettingsPatch,
      response: { 200: PipelineConfigSettings, 409: Conflict },
    },
    handler: (request) => {
      const id = requireId(request.params.id)
      return patchSettings(deps, request.caller, { id, settings: request.body.settings })
    },
  })
}
