import { useCallback, useState } from 'react'

const NONE: ReadonlySet<number> = new Set()

export interface Selection {
  readonly ids: ReadonlySet<number>
  readonly set: (ids: readonly number[]) => void
  readonly toggle: (id: number, isSelected: boolean) => void
}

/** Selected ids of a list. A selection belongs to one search: another search starts with none. */
export function useSelection(search: object): Selection {
  const [selection, setSelection] = useState({ search, ids: NONE })
  const set = useCallback(
    (ids: readonly number[]) => setSelection({ search, ids: new Set(ids) }),
    [search],
  )
  const toggle = useCallback(
    (id: number, isSelected: boolean) =>
      setSelection((before) => {
        const ids = new Set(before.search === search ? before.ids : NONE)
        if (isSelected) ids.add(id)
        else ids.delete(id)
        return { search, ids }
      }),
    [search],
  )
  return { ids: selection.search === search ? selection.ids : NONE, set, toggle }
}
