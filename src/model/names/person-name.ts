import { toVisitorName } from './visitor-name.ts'

interface Named {
  readonly name: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly is_identified?: boolean
}

/**
 * Returns the name that a person goes by, or else what the server names the person by: an address, or an ID. A visitor
 * with a made-up ID has a short name.
 */
export function toShownName({ name, properties, is_identified }: Named): string {
  const own = properties.name ?? properties.Name
  if (typeof own === 'string' && own.trim() !== '') return own
  return (is_identified ? undefined : toVisitorName(name)) ?? name
}
