import { hash } from 'node:crypto'

/** 16 bytes, as a namespace of such UUIDs has to be. */
const NAMESPACE = 'hedgerow-imports'
const VARIANT = '89ab'

/** A name-based UUID (version 5): the same name always gives the same one, and a project stores each once. */
export function toEventId(name: string): string {
  const hex = hash('sha1', NAMESPACE + name, 'hex')
  const variant = VARIANT[Number.parseInt(hex.charAt(16), 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
