import type { FastifyInstance } from 'fastify'
import { requestOrigin } from '#server/http/page.ts'
import type { ProjectTokens } from '../project-tokens.ts'
import { TokenParams } from '../schema.ts'
import { readToken } from './request.ts'

/** Responds to the start-up requests of Segment's and RudderStack's clients in browsers. `url`: the public URL. */
export async function segmentSettingsRoutes(
  app: FastifyInstance,
  { projects, url }: { projects: ProjectTokens; url: string | undefined },
): Promise<void> {
  const config = { scope: 'public' as const, pages: 'any' as const, quiet: true }

  app.get(
    '/v1/projects/:project_token/settings',
    { config, schema: { hide: true, params: TokenParams } },
    async (request) => {
      const { project_token: token } = request.params as { project_token: string }
      await projects.requirePath(token, request.ip)
      return toSegmentSettings(token, url ?? requestOrigin(request))
    },
  )

  app.get('/sourceConfig', { config, schema: { hide: true } }, async (request) => {
    const token = readToken(request)
    await projects.require(token, request.ip)
    return toSourceConfig(token as string)
  })
}

/** Makes Segment's client send messages to this server, and nothing else to anyone. */
function toSegmentSettings(token: string, origin: string) {
  const [protocol, host] = origin.split('://')
  return {
    integrations: { 'Segment.io': { apiKey: token, apiHost: `${host}/v1`, protocol } },
    metrics: { sampleRate: 0 },
  }
}

/** Returns a source of RudderStack without destinations: its client sends messages to the data plane only. */
function toSourceConfig(token: string) {
  const off = { enabled: false }
  return {
    source: {
      id: token,
      name: token,
      writeKey: token,
      workspaceId: token,
      enabled: true,
      config: { statsCollection: { errors: off, metrics: off } },
      destinations: [],
    },
  }
}
