import type { QueryNode } from '#model/query-kinds/index.ts'
import { decodeObject, encodeObject } from '../../../../api/address-text.ts'
import { toNode, wrapQuery } from '../query-model.ts'

/** Encodes a query with letters, digits, `-` and `_`. Returns undefined if it is too long for a URL. */
export function toAddressText(node: QueryNode): string | undefined {
  const isPlain = JSON.stringify(wrapQuery(node.source)) === JSON.stringify(node)
  return encodeObject(isPlain ? node.source : node)
}

/** Decodes untrusted input: only the query's kind is checked. */
export function fromAddress(text: string): QueryNode | undefined {
  const query = decodeObject(text)
  return query && toNode(query)
}
