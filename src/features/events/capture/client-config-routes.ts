import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HEAD_BYTES, MAX_BODY, parseJson, unpackBody } from './body.ts'
import { toHint } from './compression.ts'
import { findEarlyToken } from './early-token.ts'
import type { ProjectTokens } from './project-tokens.ts'
import type { Receiver } from './receive.ts'
import { findToken } from './request.ts'
import { TokenParams } from './schema.ts'

/** Responds to the start-up requests of clients: this server offers only event capture. */
export async function clientConfigRoutes(
  app: FastifyInstance,
  { projects, receiver }: { projects: ProjectTokens; receiver: Receiver },
): Promise<void> {
  const config = { scope: 'public' as const, pages: 'any' as const, quiet: true }
  const hidden = { config, schema: { hide: true } }
  const withToken = { config, schema: { hide: true, params: TokenParams } }

  app.post('/flags', hidden, async (request) => {
    await requireKnownClient(request)
    return { flags: {}, ...NO_FLAGS, requestId: randomUUID(), ...CLIENT_CONFIG }
  })

  app.post('/decide', hidden, async (request) => {
    await requireKnownClient(request)
    return { ...NO_FLAGS, ...OLD_CLIENT_CONFIG, ...CLIENT_CONFIG }
  })

  app.get('/array/:project_token/config', withToken, async (request) =>
    toRemoteConfig(await requireToken(request)),
  )

  app.get('/array/:project_token/config.js', withToken, async (request, reply) => {
    const token = await requireToken(request)
    const entry = JSON.stringify({ config: toRemoteConfig(token), siteApps: [] })
    const configs = 'window._POSTHOG_REMOTE_CONFIG'
    const script = `${configs} = ${configs} || {}; ${configs}[${JSON.stringify(token)}] = ${entry}\n`
    return reply.type('text/javascript; charset=utf-8').send(script)
  })

  /** Reads only the beginning of the body, because only the token matters. */
  async function requireKnownClient({ raw, ip, headers, query }: FastifyRequest): Promise<void> {
    const hint = toHint(headers['content-encoding'], (query as Query).compression)
    const checkHead = async (head: Buffer) => {
      await projects.require((await findEarlyToken(head, findToken, hint)).token, ip)
      return MAX_BODY
    }
    await receiver.receive(raw, checkHead, async (body, maxBytes) => {
      if (maxBytes) return
      const json = unpackBody(body, HEAD_BYTES, hint)
      if (json) await projects.require(findToken(parseJson(json)), ip)
      else await checkHead(body)
    })
  }

  async function requireToken({ params, ip }: FastifyRequest): Promise<string> {
    const { project_token: token } = params as { project_token: string }
    await projects.requirePath(token, ip)
    return token
  }
}

type Query = { readonly compression?: unknown }

const NO_FLAGS = { featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false }

/** The features that posthog-js asks about. It leaves out autocapture unless the server says that nobody opted out. */
const CLIENT_CONFIG = {
  supportedCompression: ['gzip', 'gzip-js'],
  autocapture_opt_out: false,
  elementsChainAsString: true,
  sessionRecording: false,
  surveys: false,
  heatmaps: false,
  productTours: false,
  conversations: false,
  logs: { captureConsoleLogs: false },
  errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
  autocaptureExceptions: false,
  capturePerformance: false,
  captureDeadClicks: false,
  siteApps: [],
}

/** Versions of posthog-js as old as 1.100 capture no clicks without `enable_collect_everything`. */
const OLD_CLIENT_CONFIG = {
  isAuthenticated: false,
  toolbarParams: {},
  config: { enable_collect_everything: true },
}

const toRemoteConfig = (token: string) => ({
  token,
  ...CLIENT_CONFIG,
  hasFeatureFlags: true, // otherwise posthog-js would not ask for flags, and `onFeatureFlags` would never fire
  analytics: { endpoint: '/i/v0/e/' },
})
