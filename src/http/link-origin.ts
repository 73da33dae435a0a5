import type { FastifyRequest } from 'fastify'
import { requestOrigin } from './page.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Finds the origin of links for other people: the configured URL, or the loopback address that the caller used.
 * Returns undefined for any other Host header: callers choose it, and a secret link must not lead to another server.
 */
export function findLinkOrigin(
  request: FastifyRequest,
  publicUrl: string | undefined,
): string | undefined {
  if (publicUrl !== undefined) return publicUrl
  return LOOPBACK.test(request.host) ? requestOrigin(request) : undefined
}
