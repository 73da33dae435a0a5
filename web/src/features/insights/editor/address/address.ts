import type { QueryNode } from '#model/query-kinds/index.ts'
import { toNode, wrapQuery } from '../query-model.ts'

/** Proxies and chat programs truncate longer URLs, and a truncated link is worse than none. */
export const MAX_LENGTH = 4000

/** Encodes a query with letters, digits, `-` and `_`. Returns undefined if it is too long for a URL. */
export function toAddressText(node: QueryNode): string | undefined {
  const isPlain = JSON.stringify(wrapQuery(node.source)) === JSON.stringify(node)
  const bytes = new TextEncoder().encode(JSON.stringify(isPlain ? node.source : node))
  if (bytes.length > MAX_LENGTH) return undefined
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
  return text.length > MAX_LENGTH ? undefined : text
}

/** Decodes untrusted input: only the query's kind is checked. */
export function fromAddress(text: string): QueryNode | undefined {
  if (text.length > MAX_LENGTH) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    const query: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof query === 'object' && query !== null ? toNode(query) : undefined
  } catch {
    return undefined
  }
}
