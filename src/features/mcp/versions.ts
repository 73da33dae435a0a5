import type { IncomingHttpHeaders } from 'node:http'
import { isObject, type JsonObject } from '#model/json.ts'
import { RpcError } from './rpc-error.ts'
import type { McpMessage } from './schema.ts'

/** The revision in which every request names its version, and there is no `initialize`. */
const STATELESS = '2026-07-28'
/** Revisions that begin with `initialize`, newest first. */
const WITH_HANDSHAKE = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
export const VERSIONS: readonly string[] = [STATELESS, ...WITH_HANDSHAKE]

const META = 'io.modelcontextprotocol'
export const SERVER_INFO = `${META}/serverInfo`

/** Returns the version of the handshake that the client requests, or else the newest. */
export const negotiate = (requested: unknown): string =>
  WITH_HANDSHAKE.find((version) => version === requested) ?? WITH_HANDSHAKE[0]

/** Tells whether a message belongs to the stateless revision, after checking what it requires. */
export function isStateless(message: McpMessage, headers: IncomingHttpHeaders): boolean {
  const meta = isObject(message.params?._meta) ? message.params._meta : {}
  const inHeader = headers['mcp-protocol-version']
  const inBody = meta[`${META}/protocolVersion`]
  const version = inBody ?? inHeader
  if (version !== undefined && !VERSIONS.includes(version as string)) {
    const data = { supported: VERSIONS, requested: String(version).slice(0, 100) }
    throw new RpcError('unsupportedVersion', 'Unsupported protocol version', data)
  }
  if (version !== STATELESS) return false
  requireSame('MCP-Protocol-Version', inHeader, inBody)
  requireSame('Mcp-Method', headers['mcp-method'], message.method)
  if (message.method === 'tools/call') {
    requireSame('Mcp-Name', decode(headers['mcp-name']), message.params?.name)
  }
  if (!isObject(meta[`${META}/clientCapabilities`])) {
    throw new RpcError('invalidParams', `_meta lacks ${META}/clientCapabilities`)
  }
  return true
}

function requireSame(name: string, inHeader: unknown, inBody: unknown): void {
  if (inHeader !== undefined && inHeader === inBody) return
  throw new RpcError('headerMismatch', `The header ${name} is missing or differs from the body`)
}

/** Decodes a value that is not plain ASCII. */
function decode(header: string | readonly string[] | undefined): unknown {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(String(header))?.[1]
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString()
}

/** Adds what every result of the stateless revision has. */
export const toStatelessResult = (result: JsonObject, serverInfo: JsonObject): JsonObject => ({
  resultType: 'complete',
  ...result,
  _meta: { [SERVER_INFO]: serverInfo },
})
