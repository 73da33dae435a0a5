/** Reads more or less than one list of an API: several values of its address, and some of its records. */

export type Comparison =
  | 'is'
  | 'is_not'
  | 'at_least'
  | 'more_than'
  | 'at_most'
  | 'less_than'
  | 'empty'
  | 'not_empty'

/** A condition that a record must meet. */
export interface Condition {
  /** In a record. */
  readonly path: string
  readonly comparison: Comparison
  readonly value: string
}

/** A part of the address that is replaced by each of some values. */
export interface Part {
  /** The ID of a part that `listParts` found. */
  readonly id: string
  /** Separated by commas. */
  readonly values: string
}

export interface AddressPart {
  readonly id: string
  readonly label: string
  /** The name of the partition in `connector.yaml`. */
  readonly name: string
  /** The value in the address. */
  readonly value: string
}

/** Lists the parts of an address that can have several values, without the parameters that the connector sets. */
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

/** Splits what a person has typed with commas. */
export const toList = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

interface Narrowed {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly partitions: readonly object[] | undefined
}

/** Puts placeholders in place of the parts with several values. */
export function toPartitions(
  { pathname, query }: { pathname: string; query: Readonly<Record<string, string>> },
  parts: readonly Part[],
  known: readonly AddressPart[],
): Narrowed {
  const chosen = parts.flatMap(({ id, values }) => {
    const part = known.find((one) => one.id === id)
    return part ? [{ ...part, values: toList(values) }] : []
  })
  const nameOf = (id: string) => chosen.find((part) => part.id === id)?.name
  const fill = (id: string, value: string) => {
    const name = nameOf(id)
    return name === undefined ? value : `{{partition.${name}}}`
  }
  const places = pathname.split('/').map((value, index) => fill(`path ${index}`, value))
  return {
    path: places.join('/'),
    query: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, fill(`parameter ${name}`, value)]),
    ),
    partitions:
      chosen.length > 0 ? chosen.map(({ name, values }) => ({ name, values })) : undefined,
  }
}

/** Returns the conditions of `connector.yaml`. */
export function toFilter(conditions: readonly Condition[]): readonly object[] | undefined {
  if (conditions.length === 0) return undefined
  return conditions.map(({ path, comparison, value }) => {
    if (comparison === 'empty' || comparison === 'not_empty') {
      return { path, empty: comparison === 'empty' }
    }
    return { path, [comparison]: value }
  })
}
