import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { notFound } from '#server/errors.ts'
import { findToken, requireProject } from './capture.ts'
import type { TokenLookup } from './project-tokens.ts'
import { TokenParams } from './schema.ts'

/** Answers the requests of clients at start-up: this server offers nothing but event capture. */
export async function clientConfigRoutes(
  app: FastifyInstance,
  { findProject }: { findProject: TokenLookup },
): Promise<void> {
  const config = { scope: 'public' as const, quiet: true }
  const hidden = { config, schema: { hide: true } }
  const withToken = { config, schema: { hide: true, params: TokenParams } }

  app.post('/flags', hidden, async (request) => {
    await requireProject(findProject, findToken(request.body))
    return { flags: {}, ...NO_FLAGS, requestId: randomUUID(), ...CLIENT_CONFIG }
  })

  app.post('/decide', hidden, async (request) => {
    await requireProject(findProject, findToken(request.body))
    return { ...NO_FLAGS, isAuthenticated: false, toolbarParams: {}, ...CLIENT_CONFIG }
  })

  app.get('/array/:project_token/config', withToken, async (request) =>
    toRemoteConfig(await requireToken(request.params)),
  )

  app.get('/array/:project_token/config.js', withToken, async (request, reply) => {
    const token = await requireToken(request.params)
    const entry = JSON.stringify({ config: toRemoteConfig(token), siteApps: [] })
    const configs = 'window._POSTHOG_REMOTE_CONFIG'
    const script = `${configs} = ${configs} || {}; ${configs}[${JSON.stringify(token)}] = ${entry}\n`
    return reply.type('text/javascript; charset=utf-8').send(script)
  })

  async function requireToken(params: unknown): Promise<string> {
    const { project_token: token } = params as { project_token: string }
    if ((await findProject(token)) === undefined) throw notFound('Project')
    return token
  }
}

const NO_FLAGS = { featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false }

const CLIENT_CONFIG = {
  supportedCompression: ['gzip', 'gzip-js'],
  sessionRecording: false,
  surveys: false,
  heatmaps: false,
  siteApps: [],
}

const toRemoteConfig = (token: string) => ({
  token,
  ...CLIENT_CONFIG,
  hasFeatureFlags: false,
  analytics: { endpoint: '/i/v0/e/' },
  capturePerformance: false,
  captureDeadClicks: false,
  autocaptureExceptions: false,
})
