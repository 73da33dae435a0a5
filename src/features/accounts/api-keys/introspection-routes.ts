import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { introspectKey } from './introspection.ts'
import { Introspection, IntrospectionRequest } from './schema.ts'

const FORM = 'application/x-www-form-urlencoded'
const MAX_FORM_BYTES = 10_000

/** Mounted at /oauth/introspect */
export const introspectionRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    async (_request: unknown, text: string) => Object.fromEntries(new URLSearchParams(text)),
  )

  app.post('', {
    config: { scope: 'key' },
    schema: {
      operationId: 'introspectToken',
      summary: 'Describe an API key',
      description:
        'Token introspection by RFC 7662, for one of your own keys. An unknown, expired or revoked key is not active.',
      tags: ['API keys'],
      body: IntrospectionRequest,
      nonJsonBody: { [FORM]: { schema: IntrospectionRequest } },
      response: { 200: Introspection },
    },
    handler: ({ principal, body }) => introspectKey(db, principal, body.token),
  })
}
