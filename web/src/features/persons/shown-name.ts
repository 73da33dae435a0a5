import type { Person } from './api.ts'

type Named = Pick<Person, 'name' | 'properties'>

/** Returns the name that people read: that of the person, or else what the server names the person by, often an address. */
export function toShownName({ name, properties }: Named): string {
  const own = properties.name ?? properties.Name
  return typeof own === 'string' && own.trim() !== '' ? own : name
}
