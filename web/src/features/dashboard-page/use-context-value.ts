import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import type { SearchFilter } from '../dashboard-list/search.ts'
import { useRefreshInsight } from './api.ts'
import type { DashboardContext } from './context.ts'
import type { DashboardEditor } from './editing/editor.ts'
import { type Override, toTileFilters } from './filters/override.ts'
import { NUDGES, type Nudge, nudge, toLayout, toTileChanges } from './grid/layout.ts'
import { tileTitle } from './tile/state.ts'

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
  const canRefreshAlone = Object.keys({ ...override, ...filters }).length === 0
  const now = { canRefreshAlone, refreshAll, filters, override, isOutdated }
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
  const nudgeTile = useCallback(
    (tile: Tile, how: Nudge) => {
      const { tiles } = editor.shown()
      const changes = toTileChanges(tiles, nudge(toLayout(tiles), tile.id, how))
      if (changes.length === 0) return announce(`${tileTitle(tile)} cannot move further.`)
      editor.edit(`${NUDGES[how]}: ${tileTitle(tile)}`, { tiles: changes })
      const place = toLayout(editor.shown().tiles).find(({ i }) => i === `${tile.id}`)
      if (!place) return
      const { x, y, w, h } = place
      announce(
        `${tileTitle(tile)}: column ${x + 1}, row ${y + 1}, ${w} columns wide, ${h} rows high.`,
      )
    },
    [editor],
  )
  const context = useMemo<DashboardContext>(
    () => ({
      dashboardId: id,
      editor,
      canEdit,
      isKiosk,
      isPhone,
      listFilters,
      filterByValue,
      refreshTile,
      nudgeTile,
      transferTile: (tile, how) => setTransfer({ tile, how }),
    }),
    [id, editor, canEdit, isKiosk, isPhone, listFilters, filterByValue, refreshTile, nudgeTile],
  )
  const endTransfer = useCallback(() => setTransfer(null), [])
  return { context, announcement, transfer, endTransfer }
}
