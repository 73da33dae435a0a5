import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MAX_BODY_BYTES, METHODS } from '../plugins/package/receives.ts'
import { createIntake, type IntakeDeps } from './intake.ts'

const DESCRIPTION =
  'Takes a request of another service for the import app whose address this is. It is verified as the app says and stored before the response; the app handles it afterwards. A delivery that is sent again is stored once. A wrong signature is 401, and an unknown address 404.'

/** Mounted at /in, where other services send requests. The token in the address leads to a config. */
export async function webhookInRoutes(app: FastifyInstance, deps: IntakeDeps): Promise<void> {
  const receive = createIntake(deps)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => done(null, body),
  )

  app.route({
    method: [...METHODS],
    url: '/:token',
    exposeHeadRoute: false,
    bodyLimit: MAX_BODY_BYTES,
    config: { scope: 'public', pages: 'any', quiet: true },
    schema: { hide: true, description: DESCRIPTION },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { token } = request.params as { token: string }
      const { status, type, body } = await receive(token, {
        method: request.method,
        query: request.url.replace(/^[^?]*\??/, ''),
        headers: request.headers,
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      })
      return reply.code(status).type(`${type}; charset=utf-8`).send(body)
    },
  })
}
