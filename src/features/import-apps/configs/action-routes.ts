import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { listActivity } from '#server/features/activity/store.ts'
import { requireId } from '#server/http/ids.ts'
import { sendIfJsonAccepted } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageOf } from '#server/http/page.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { getConfigRow } from './configs.ts'
import { Frontend, sendFrontend } from './frontend.ts'
import { type MigrateByApp, migrateConfig } from './migrate.ts'
import {
  Migrated,
  PipelineConfigParams,
  PipelineConfigPatch,
  PipelineConfigSettings,
  PipelineConfigSettingsPatch,
} from './schema.ts'
import { getSettings, patchSettings } from './settings.ts'

export interface PipelineConfigOptions {
  readonly db: Db
  readonly secrets: Secrets
  readonly migrateByApp?: MigrateByApp
}

const tags = ['Import apps']
const params = PipelineConfigParams
const ONLY_IF_ASKED = 'The body is empty unless `Accept` names `application/json`.'

/** What can be asked of one config besides its record. */
export const actionRoutes: FastifyPluginAsyncTypebox<PipelineConfigOptions> = async (
  app,
  { db, secrets, migrateByApp },
) => {
  app.get('/:id/activity', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listPipelineConfigActivity',
      summary: 'List what happened to an import app config, newest first',
      description: ONLY_IF_ASKED,
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageOf(Activity) },
    },
    handler: async (request, reply) => {
      const { projectId } = request.caller
      const { id } = await getConfigRow(db, projectId, requireId(request.params.id))
      return sendIfJsonAccepted(request, reply, () =>
        page(request, (window) => listActivity(db, projectId, 'PluginConfig', id, window)),
      )
    },
  })

  app.get('/:id/frontend', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigFrontend',
      summary: "Read the page of an import app's own",
      description: 'The body is empty unless `Accept` names JSON or JavaScript.',
      tags,
      params,
      response: {
        200: {
          description: 'The page, or that there is none, or why it is broken.',
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
      summary: "Bring the settings to the installed version's schema",
      description: `Missing settings get their defaults, unknown ones are dropped, types are converted; an app that exports \`migrateConfig\` is asked first. ${ONLY_IF_ASKED}`,
      tags,
      params,
      body: PipelineConfigPatch,
      response: { 200: Migrated, 409: Conflict },
    },
    handler: async (request, reply) => {
      const id = requireId(request.params.id)
      const migrated = await migrateConfig(db, secrets, request.caller, id, migrateByApp)
      return sendIfJsonAccepted(request, reply, migrated)
    },
  })

  app.get('/:id/settings', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigSettings',
      summary: 'Read the settings, secrets masked',
      tags,
      params,
      response: { 200: PipelineConfigSettings },
    },
    handler: (request) =>
      getSettings(db, secrets, request.caller.projectId, requireId(request.params.id)),
  })

  app.patch('/:id/settings', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'patchPipelineConfigSettings',
      summary: 'Change settings',
      description:
        'Settings that are not sent stay, null removes one. A secret that is null or the mask stays too; an empty text clears it.',
      tags,
      params,
      body: PipelineConfigSettingsPatch,
      response: { 200: PipelineConfigSettings, 409: Conflict },
    },
    handler: (request) =>
      patchSettings(
        db,
        secrets,
        request.caller,
        requireId(request.params.id),
        request.body.settings,
      ),
  })
}
