import { toLabel } from '#model/format.ts'

/** The column by which a table is sorted. */
export interface Sorting {
  readonly column: number
  readonly isDescending: boolean
}

/** Sorts by a column, then the other way round, then not at all. Numbers start with the largest, texts with A. */
export function nextSorting(
  now: Sorting | undefined,
  column: number,
  isNumber: boolean,
): Sorting | undefined {
  if (now?.column !== column) return { column, isDescending: isNumber }
  return now.isDescending === isNumber ? { column, isDescending: !isNumber } : undefined
}

/** Returns the positions of the rows in order. Empty cells are last. */
export function sortRows(
  rows: readonly (readonly unknown[])[],
  sorting: Sorting | undefined,
): number[] {
  const positions = [...rows.keys()]
  if (!sorting) return positions
  const { column, isDescending } = sorting
  const cellOf = (at: number) => rows[at]?.[column] ?? null
  return positions.sort((one, other) => {
    const [a, b] = [cellOf(one), cellOf(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return compare(a, b) * (isDescending ? -1 : 1)
  })
}

const compare = (one: unknown, other: unknown): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : toLabel(one).localeCompare(toLabel(other), 'en', { numeric: true })
