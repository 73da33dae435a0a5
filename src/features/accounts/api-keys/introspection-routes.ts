import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { installUrlEncodedBody, URL_ENCODED } from '#server/http/url-encoded.ts'
import { introspectKey } from './introspection.ts'
import { Introspection, IntrospectionRequest } from './schema.ts'

/** Mounted at /oauth/introspect */
export const introspectionRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  installUrlEncodedBody(app)

  app.post('', {
    config: { scope: 'key', viewers: true },
    schema: {
      operationId: 'introspectToken',
      summary: 'Describe an API key',
      description:
        'Token introspection by RFC 7662, for one of your own keys. An unknown, expired or revoked key is not active.',
      tags: ['API keys'],
      body: IntrospectionRequest,
      nonJsonBody: { [URL_ENCODED]: { schema: IntrospectionRequest } },
      response: { 200: Introspection },
    },
    handler: ({ principal, body }) => introspectKey(db, principal, body.token),
  })
}
