import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { invalid } from '#server/errors.ts'
import { findLinkOrigin } from '#server/http/link-origin.ts'

/** The site that passkeys belong to. */
export interface RelyingParty {
  readonly origin: string
  /** The host, without a port. */
  readonly id: string
}

/** Returns undefined where browsers have no passkeys: at an address without a name, and at an unknown Host header. */
export function findRelyingParty(
  request: FastifyRequest,
  url: string | undefined,
): RelyingParty | undefined {
  const address = findLinkOrigin(request, url)
  if (address === undefined) return undefined
  const { origin, hostname, protocol } = new URL(address)
  const isSafe = protocol === 'https:' || hostname === 'localhost'
  return isSafe && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
    ? { origin, id: hostname }
    : undefined
}

export function requireRelyingParty(
  request: FastifyRequest,
  url: string | undefined,
): RelyingParty {
  const party = findRelyingParty(request, url)
  if (party) return party
  const detail = 'Passkeys need HTTPS and a host name: ask your admin to set HEDGEROW_URL.'
  throw invalid(null, detail)
}
