import { useState } from 'react'

export const moveItem = <T>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, list[from] as T)

interface Rows {
  readonly ids: readonly number[]
  readonly next: number
}

const fresh = (length: number, from = 1): Rows => ({
  ids: Array.from({ length }, (_, at) => from + at),
  next: from + length,
})

/** Gives rows stable ids: series may be equal, and a row's open parts must move with it. */
export function useRowIds(length: number) {
  const [rows, setRows] = useState<Rows>(() => fresh(length))
  const isOther = rows.ids.length !== length
  const known = isOther ? fresh(length, rows.next) : rows
  if (isOther) setRows(known)
  const { ids, next } = known
  return {
    ids,
    move: (from: number, to: number) => setRows({ ids: moveItem(ids, from, to), next }),
    insert: (at: number) => setRows({ ids: ids.toSpliced(at, 0, next), next: next + 1 }),
    remove: (at: number) => setRows({ ids: ids.toSpliced(at, 1), next }),
  }
}
