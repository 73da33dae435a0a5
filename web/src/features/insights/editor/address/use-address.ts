import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import type { QueryNode } from '#model/query-kinds/index.ts'
import { parseText } from '../../../../ui/list/search-params.ts'
import { toAddressText } from './address.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Key of the editor that wrote the query of this URL. Without it the query is read on open. */
    readonly editor?: string
  }
}

interface Opened {
  readonly key: string
  readonly q: string | undefined
}

/** Returns the query that the page was opened with, and a function that keeps the URL current. */
export function useAddress() {
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const q = parseText((search as { q?: unknown }).q)
  const key = state.__TSR_key ?? ''
  const [opened, setOpened] = useState<Opened>({ key, q })
  const isOwn = state.editor === opened.key
  if (!isOwn && key !== opened.key) setOpened({ key, q })

  const write = useCallback(
    (next: string | undefined) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, q: next }),
        state: { editor: opened.key },
        replace: true,
        resetScroll: false,
        ignoreBlocker: true,
      }),
    [navigate, opened.key],
  )
  return { opened, now: q, write }
}

export type Address = Pick<ReturnType<typeof useAddress>, 'now' | 'write'>

/** Writes only queries that have a result, so that a shared link shows one. */
export function useKeptInAddress({ now, write }: Address, answered: QueryNode | undefined): void {
  const wanted = answered && toAddressText(answered)
  useEffect(() => {
    if (wanted !== now) write(wanted)
  }, [wanted, now, write])
}
