import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Cleans the headers of a trusted proxy before anything reads the client's address or protocol from them. Limits by
 * address must not count ports or words, and links must not begin with any other protocol.
 */
export function installForwardedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw
    const addresses = headers['x-forwarded-for']
    if (addresses !== undefined) headers['x-forwarded-for'] = toAddresses(String(addresses))
    const protocols = headers['x-forwarded-proto']
    if (protocols !== undefined) {
      const protocol = String(protocols).split(',').at(-1)?.trim().toLowerCase()
      if (protocol === 'http' || protocol === 'https') headers['x-forwarded-proto'] = protocol
      else delete headers['x-forwarded-proto']
    }
    done()
  })
}

/** Keeps the addresses from the right, where the nearest proxy writes, up to the first entry that is none. */
export function toAddresses(text: string): string {
  const addresses: string[] = []
  for (const entry of text.split(',').reverse()) {
    const address = withoutPort(entry.trim())
    if (isIP(address) === 0) break
    addresses.unshift(address)
  }
  return addresses.join(', ')
}

const withoutPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry
