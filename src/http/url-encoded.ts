import type { FastifyInstance } from 'fastify'

/** The media type of a plain HTML form. */
export const URL_ENCODED = 'application/x-www-form-urlencoded'
const MAX_BYTES = 10_000

/** Lets the routes of this scope accept the fields of a form besides JSON. */
export function installUrlEncodedBody(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    URL_ENCODED,
    { parseAs: 'string', bodyLimit: MAX_BYTES },
    async (_request: unknown, text: string) => Object.fromEntries(new URLSearchParams(text)),
  )
}
