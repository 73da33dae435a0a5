/** A part of an address that can have other values: a place of its path, or a parameter. */
export interface AddressPart {
  readonly id: string
  readonly label: string
  /** A name for placeholders. */
  readonly name: string
  /** The value in the address. */
  readonly value: string
}

/** Lists the parts of an address, without the parameters that the connector sets. */
export function listParts(url: string, own: readonly string[]): AddressPart[] {
  const address = URL.parse(url)
  if (!address) return []
  const places = address.pathname.split('/').flatMap((value, index) =>
    value === ''
      ? []
      : [
          {
            id: `path ${index}`,
            label: `/${value}`,
            name: `path_${index}`,
            value: decode(value),
          },
        ],
  )
  const parameters = [...address.searchParams]
    .filter(([name]) => !own.includes(name))
    .map(([name, value]) => ({
      ...{ id: `parameter ${name}`, label: `${name}=${value}`, value },
      name: `parameter_${name.replace(/\W/g, '_').slice(0, 80)}`,
    }))
  const byId = new Map([...places, ...parameters].map((part) => [part.id, part]))
  return [...byId.values()]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface StreamAddress {
  readonly path: string
  readonly query: Readonly<Record<string, string>> | undefined
}

/** Splits an address for a stream, with placeholders instead of some parts, by their IDs. */
export function toStreamAddress(
  url: string,
  own: readonly string[],
  placeholders: ReadonlyMap<string, string>,
): StreamAddress {
  const { pathname, searchParams } = new URL(url)
  const fill = (id: string, value: string) => placeholders.get(id) ?? value
  const places = pathname.split('/').map((value, index) => fill(`path ${index}`, value))
  const parameters = [...searchParams].filter(([name]) => !own.includes(name))
  const query = parameters.map(([name, value]) => [name, fill(`parameter ${name}`, value)] as const)
  return {
    path: places.join('/'),
    query: query.length > 0 ? Object.fromEntries(query) : undefined,
  }
}

/** Names a stream by the last part of its path. */
export const toStreamName = (url: string): string =>
  URL.parse(url)?.pathname.split('/').filter(Boolean).at(-1)?.replace(/\W+/g, '_').slice(0, 90) ||
  'records'
