import { hash } from 'node:crypto'

/** The namespace of the UUIDs, which must have 16 bytes. */
const NAMESPACE = 'hedgerow-imports'
const VARIANT = '89ab'

/** Returns a name-based UUID (version 5). The same name gives the same UUID, which a project stores once. */
export function toEventId(name: string): string {
  const hex = hash('sha1', NAMESPACE + name, 'hex')
  const variant = VARIANT[Number.parseInt(hex.charAt(16), 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
