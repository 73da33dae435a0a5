import type { AddressPart } from './address.ts'

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

/** Splits what a person has typed with commas. */
export const toList = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

interface Partitions {
  /** `partitions` of `connector.yaml`. */
  readonly partitions: readonly object[] | undefined
  /** The texts in place of the parts, by their IDs. */
  readonly placeholders: readonly (readonly [id: string, text: string])[]
}

/** Reads an address once for each value of the parts that are known. */
export function toPartitions(parts: readonly Part[], known: readonly AddressPart[]): Partitions {
  const chosen = parts.flatMap(({ id, values }) => {
    const part = known.find((one) => one.id === id)
    return part ? [{ id, name: part.name, values: toList(values) }] : []
  })
  return {
    partitions:
      chosen.length > 0 ? chosen.map(({ name, values }) => ({ name, values })) : undefined,
    placeholders: chosen.map(({ id, name }) => [id, `{{partition.${name}}}`]),
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
