import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ProjectTokens } from './project-tokens.ts'

/** The lists that clients request with the token of a project in the URL, and their names in the response. */
const EMPTY_LISTS = {
  '/api/surveys': 'surveys',
  '/api/early_access_features': 'earlyAccessFeatures',
  '/api/web_experiments': 'experiments',
  '/api/product_tours': 'product_tours',
}

const NO_DEFINITIONS = { flags: [], group_type_mapping: {}, cohorts: {} }

/** Responds that there are none, to clients that ask for features which this server does not have. */
export async function emptyFeatureRoutes(
  app: FastifyInstance,
  { projects }: { projects: ProjectTokens },
): Promise<void> {
  const config = { scope: 'public' as const, pages: 'any' as const, quiet: true }
  for (const [url, name] of Object.entries(EMPTY_LISTS)) {
    app.get(url, { config, schema: { hide: true } }, async (request) => {
      await requireToken(request)
      return { [name]: [] }
    })
  }

  const definitions = (operationId: string) => ({
    config: { scope: 'key' as const, quiet: true },
    schema: {
      operationId,
      summary: 'List feature flags for local evaluation',
      description: 'There are none: clients that evaluate flags locally start without waiting.',
      tags: ['Events'],
      querystring: Type.Object({ token: Type.Optional(Type.String()) }),
      response: { 200: Definitions },
    },
    handler: async (request: FastifyRequest) => {
      if ((request.query as Query).token !== undefined) await requireToken(request)
      return NO_DEFINITIONS
    },
  })
  app.get('/flags/definitions', definitions('listFlagDefinitions'))
  app.get('/api/feature_flag/local_evaluation', definitions('listFlagsForLocalEvaluation'))

  async function requireToken({ query, ip }: FastifyRequest): Promise<void> {
    await projects.require((query as Query).token, ip)
  }
}

type Query = { readonly token?: unknown }

const Definitions = Type.Object(
  {
    flags: Type.Array(Type.Unknown(), { maxItems: 0 }),
    group_type_mapping: Type.Object({}),
    cohorts: Type.Object({}),
  },
  { title: 'FlagDefinitions' },
)
