import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import type { Egress } from '#server/egress/egress.ts'
import { invalid, required } from '#server/errors.ts'
import { OrganizationParams } from '#server/features/accounts/projects/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { AppProblem, type Runtime } from '#server/runtime/contract.ts'
import {
  type InstallDeps,
  installFromOrigin,
  installSource,
  updateSource,
  upgradePlugin,
} from './install.ts'
import { GITHUB_URL } from './origin/github.ts'
import { parseOriginUrl } from './origin/origin.ts'
import {
  type Editor,
  getPlugin,
  getSource,
  listPlugins,
  listPluginUses,
  patchPlugin,
  removePlugin,
} from './plugins.ts'
import {
  InstalledPlugin,
  PluginInstall,
  PluginParams,
  PluginPatch,
  PluginSource,
  PluginSourcePatch,
  PluginUpdates,
  PluginUpgrade,
  PluginUse,
} from './schema.ts'
import { checkForUpdates } from './updates.ts'

const tags = ['Plugins']
const params = PluginParams
const READ = { scope: 'plugin:read' } as const
const WRITE = { scope: 'plugin:write', adminOnly: true } as const

interface Options {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'describe'>
  readonly egress: Egress
  readonly githubUrl: string | undefined
}

/** Mounted at /api/organizations/:organization_id/plugins */
export const pluginRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { db, runtime, egress, githubUrl = GITHUB_URL },
) => {
  const describe: InstallDeps['describe'] = (code) => runtime.describe(code)
  const deps: InstallDeps = { db, describe, egress, githubUrl }

  app.get('', {
    config: READ,
    schema: {
      operationId: 'listPlugins',
      summary: 'List installed apps',
      tags,
      params: OrganizationParams,
      querystring: PageQuery,
      response: { 200: pageSchema(InstalledPlugin) },
    },
    handler: (request) => page(request, (range) => listPlugins(db, range)),
  })

  app.post('', {
    config: WRITE,
    schema: {
      operationId: 'installPlugin',
      summary: 'Install an app',
      description:
        'From the npm registry or GitHub by `url`, or from `files` (or the `source` of `index.ts` alone) with `plugin_type` `source`.',
      tags,
      params: OrganizationParams,
      body: PluginInstall,
      response: { 201: InstalledPlugin },
    },
    handler: async (request, reply) => {
      reply.code(201)
      return install(deps, request.caller, request.body)
    },
  })

  app.get('/:id', {
    config: READ,
    schema: {
      operationId: 'getPlugin',
      summary: 'Get an app',
      tags,
      params,
      response: { 200: InstalledPlugin },
    },
    handler: (request) => getPlugin(db, requireId(request.params.id)),
  })

  app.patch('/:id', {
    config: WRITE,
    schema: {
      operationId: 'updatePlugin',
      summary: "Update an app's name, description or icon",
      tags,
      params,
      body: PluginPatch,
      response: { 200: InstalledPlugin, 409: Conflict },
    },
    handler: (request) =>
      patchPlugin(db, request.caller, requireId(request.params.id), request.body),
  })

  app.delete('/:id', {
    config: WRITE,
    schema: {
      operationId: 'deletePlugin',
      summary: 'Uninstall an app',
      description: 'Its configs stay. Their `error` says that the app is not installed.',
      tags,
      params,
      response: { 204: Type.Null({ description: 'The app is uninstalled.' }), 409: Conflict },
    },
    handler: async (request, reply) => {
      await removePlugin(db, request.caller, requireId(request.params.id))
      return sendEmpty(reply, 204)
    },
  })

  app.get('/:id/uses', {
    config: { ...READ, adminOnly: true },
    schema: {
      operationId: 'listPluginUses',
      summary: 'List the projects that use an app',
      description: 'The projects that would be affected if the app were uninstalled.',
      tags,
      params,
      response: { 200: Type.Array(PluginUse) },
    },
    handler: (request) => listPluginUses(db, requireId(request.params.id)),
  })

  app.get('/:id/source', {
    config: READ,
    schema: {
      operationId: 'getPluginSource',
      summary: "Get an app's files",
      description: 'Empty for built-in apps.',
      tags,
      params,
      response: { 200: PluginSource },
    },
    handler: (request) => getSource(db, requireId(request.params.id)),
  })

  app.patch('/:id/update_source', {
    config: WRITE,
    schema: {
      operationId: 'updatePluginSource',
      summary: "Update an app's files",
      description:
        'The capabilities are determined again, and configs run the new code. The next upgrade replaces all files.',
      tags,
      params,
      body: PluginSourcePatch,
      response: { 200: PluginSource, 409: Conflict },
    },
    handler: (request) => {
      const id = requireId(request.params.id)
      return withAppErrors(null, () =>
        updateSource(deps, request.caller, { id, patch: request.body }),
      )
    },
  })

  app.post('/:id/upgrade', {
    config: WRITE,
    schema: {
      operationId: 'upgradePlugin',
      summary: 'Install another version of an app',
      description:
        'The latest version, unless `version` is given. Settings stay as they are until the config is migrated.',
      tags,
      params,
      body: PluginUpgrade,
      response: { 200: InstalledPlugin, 409: Conflict },
    },
    handler: (request) => {
      const { version } = request.body
      const id = requireId(request.params.id)
      const attr = version === undefined ? null : 'version'
      return withAppErrors(attr, () => upgradePlugin(deps, request.caller, { id, version }))
    },
  })

  app.get('/:id/check_for_updates', {
    config: WRITE,
    schema: {
      operationId: 'checkPluginForUpdates',
      summary: 'Look up the latest version of an app on npm or GitHub',
      description: 'Updates `latest_tag`.',
      tags,
      params,
      response: { 200: PluginUpdates },
    },
    handler: async (request) => ({
      plugin: await withAppErrors(null, () => checkForUpdates(deps, requireId(request.params.id))),
    }),
  })
}

async function install(
  deps: InstallDeps,
  actor: Editor,
  { url, plugin_type, name, files, source }: PluginInstall,
): Promise<InstalledPlugin> {
  const isSource = plugin_type === 'source' || files !== undefined || source !== undefined
  if (!isSource) {
    if (!url) throw required('url')
    return withAppErrors('url', () =>
      installFromOrigin(deps, actor, parseOriginUrl(url, deps.githubUrl)),
    )
  }
  const sent: PluginSource = { ...files, ...(source !== undefined && { 'index.ts': source }) }
  if (name === undefined && sent['plugin.json'] === undefined) {
    throw required('name')
  }
  const attr = files === undefined ? 'source' : 'files'
  return withAppErrors(attr, () => installSource(deps, actor, { files: sent, name }))
}

/** Turns an app's problem into a validation error of the request. */
async function withAppErrors<T>(attr: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof AppProblem ? invalid(attr, error.message) : error
  }
}
