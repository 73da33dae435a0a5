import { type QueryNode, toNode, wrap } from '../query-model.ts'

/** Longer ones are cut by proxies and chat programs, and a link that lost its end is worse than none. */
export const MAX_LENGTH = 4000

/** The query as a part of an address: only letters, digits, `-` and `_`. undefined: it is too long for one. */
export function toAddress(node: QueryNode): string | undefined {
  const isPlain = JSON.stringify(wrap(node.source)) === JSON.stringify(node)
  const bytes = new TextEncoder().encode(JSON.stringify(isPlain ? node.source : node))
  if (bytes.length > MAX_LENGTH) return undefined
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
  return text.length > MAX_LENGTH ? undefined : text
}

/** Anybody can write an address: what this returns has a kind that is known, and nothing else is certain of it. */
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
