import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useIsViewer } from '../../api/project.ts'
import type { SearchFilter } from '../dashboard-list/search.ts'
import { useRefreshInsight } from './api.ts'
import type { DashboardContext } from './context.ts'
import type { DashboardEditor } from './editing/editor.ts'
import { hasFilters, type Override, toTileFilters } from './filters/override.ts'
import { toLayout } from './grid/layout.ts'
import type { ToMove } from './grid/moves.ts'
import { tileTitle } from './tile/state.ts'
import { useSectionChoices } from './use-section-choices.ts'

interface ContextInput {
  readonly dashboard: Dashboard
  readonly editor: DashboardEditor
  readonly canEdit: boolean
  readonly isKiosk: boolean
  readonly isPhone: boolean
  readonly refreshAll: () => void
  readonly override: Override
  /** The results belong to other filters. */
  readonly isOutdated: boolean
}

interface Transfer {
  readonly tile: Tile
  readonly how: 'copy' | 'move'
}

/** Builds the tiles' actions, and announces moves to screen readers. */
export function useDashboardContextValue({
  dashboard: { id, filters },
  editor,
  canEdit,
  isKiosk,
  isPhone,
  refreshAll,
  override,
  isOutdated,
}: ContextInput) {
  const [announcement, announce] = useState('')
  const [transfer, setTransfer] = useState<Transfer | null>(null)
  const { mutate: refreshInsight } = useRefreshInsight(id)
  // refreshing one insight ignores the dashboard's filters
  const canRefreshAlone = !hasFilters(override) && Object.keys(filters).length === 0
  const { choices, choose } = useSectionChoices(id)
  const now = { choices, canRefreshAlone, refreshAll, filters, override, isOutdated }
  const latest = useRef(now)
  latest.current = now

  const listFilters = useCallback((tile: Tile) => {
    const { isOutdated: isOther, ...given } = latest.current
    return isOther ? undefined : toTileFilters(tile, given)
  }, [])

  const navigate = useNavigate()
  const filterByValue = useCallback(
    ({ id: tile }: Tile, properties: readonly SearchFilter[]) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, value: { tile, properties } }),
        resetScroll: false,
      }),
    [navigate],
  )

  const refreshTile = useCallback(
    (tile: Tile) => {
      if (latest.current.canRefreshAlone && tile.insight) refreshInsight(tile.insight.id)
      else latest.current.refreshAll()
    },
    [refreshInsight],
  )
  const move = useCallback(
    (tile: Tile, toMove: ToMove) => {
      const { tiles } = editor.shown()
      const { label, changes, entered } = toMove(tiles, latest.current.choices)
      for (const title of tiles) if (entered.includes(title.id)) choose(title, 'open')
      if (changes.length === 0) return announce(`${tileTitle(tile)} cannot move further.`)
      editor.edit(`${label}: ${tileTitle(tile)}`, { tiles: changes })
      const place = toLayout(editor.shown().tiles).find(({ i }) => i === `${tile.id}`)
      if (!place) return
      const { x, y, w, h } = place
      announce(
        `${tileTitle(tile)}: column ${x + 1}, row ${y + 1}, ${w} columns wide, ${h} rows high.`,
      )
    },
    [editor, choose],
  )
  const isViewer = useIsViewer()
  const context = useMemo<DashboardContext>(
    () => ({
      dashboardId: id,
      editor,
      canEdit,
      isViewer,
      isKiosk,
      isPhone,
      listFilters,
      filterByValue,
      refreshTile,
      move,
      transferTile: (tile, how) => setTransfer({ tile, how }),
    }),
    [
      id,
      editor,
      canEdit,
      isViewer,
      isKiosk,
      isPhone,
      listFilters,
      filterByValue,
      refreshTile,
      move,
    ],
  )
  const endTransfer = useCallback(() => setTransfer(null), [])
  return { context, announcement, transfer, endTransfer }
}
