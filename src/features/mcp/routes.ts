import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { toRequester } from '#server/access/requester.ts'
import { ApiError, forbidden } from '#server/errors.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { McpMessage, McpResponse, Refusal } from './schema.ts'
import type { Tool } from './tool.ts'

/** Tells people who configure a client what is missing. */
const CHALLENGE =
  'Bearer realm="Hedgerow", error="invalid_token", error_description="Send a personal API key, created on the page API keys, as Authorization: Bearer phx_..."'

/** Mounted at /mcp */
export const mcpRoutes: FastifyPluginAsyncTypebox<{ url: string | undefined }> = async (
  app,
  { url },
) => {
  let tools: readonly Tool[] | undefined

  app.post('', {
    config: { scope: 'key', viewers: true, quiet: true },
    schema: {
      operationId: 'sendMcpMessage',
      summary: 'Send a message of the Model Context Protocol',
      description:
        'Streamable HTTP without sessions and streams. `tools/list` has the tools that the scopes of the key allow: see docs/mcp.md.',
      tags: ['MCP'],
      body: McpMessage,
      response: {
        200: McpResponse,
        202: Type.Null({ description: 'The notification was accepted.' }),
        400: Refusal,
        404: McpResponse,
      },
    },
    onRequest: async (request) => {
      requireKey(request)
      requireKnownOrigin(request, url)
    },
    onSend: async (_request, reply) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', CHALLENGE)
    },
    handler: async (request, reply) => {
      // loaded at first use, because most servers never use it
      const { listTools, openToolbox } = await import('./toolbox.ts')
      const { respond } = await import('./protocol.ts')
      tools ??= listTools(app)
      const { signal } = toRequester(request, reply)
      const toolbox = openToolbox(app, tools, request, signal)
      const { status, body } = await respond(toolbox, request.body, request.headers)
      return body ? reply.code(status).send(body) : sendEmpty(reply, 202)
    },
  })
}

/** Refuses sessions: a page that a browser shows must not use the tools of the person who is signed in. */
function requireKey({ principal }: FastifyRequest): void {
  if (!principal.isSession) return
  throw new ApiError('not_authenticated', 'Send a personal API key: sessions cannot use MCP.')
}

const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Refuses pages of other sites. The Host header proves nothing, because a page can have its own name resolved to this
 * server; only the configured URL and this machine are known.
 */
function requireKnownOrigin(
  { headers: { origin } }: FastifyRequest,
  url: string | undefined,
): void {
  if (origin === undefined || LOOPBACK.test(origin)) return
  if (url !== undefined && origin === new URL(url).origin) return
  throw forbidden('Pages of this origin cannot use MCP.')
}
