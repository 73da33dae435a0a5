import { createContext, useContext } from 'react'
import type { Filters } from '#model/dashboard-filters.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import type { SearchFilter } from '../dashboard-list/search.ts'
import type { DashboardEditor } from './editing/editor.ts'
import type { ToMove } from './grid/moves.ts'

/** State and actions that every tile needs. The object stays the same while results change, so tiles do not rerender. */
export interface DashboardContext {
  readonly dashboardId: number
  readonly editor: DashboardEditor
  readonly canEdit: boolean
  /** The user may only view the project. */
  readonly isViewer: boolean
  readonly isKiosk: boolean
  readonly isPhone: boolean
  /** Lists the filters that the shown result was computed with; undefined while another result is on its way. */
  readonly listFilters: (tile: Tile) => readonly Filters[] | undefined
  /** Filters the other tiles by a value of this one. */
  readonly filterByValue: (tile: Tile, properties: readonly SearchFilter[]) => void
  readonly refreshTile: (tile: Tile) => void
  /** Moves or resizes a tile or section by keyboard, and says where it is. */
  readonly move: (tile: Tile, toMove: ToMove) => void
  /** Adds the tile, or the section with its tiles, to another dashboard; a move also removes it here. */
  readonly transferTile: (tile: Tile, how: 'copy' | 'move') => void
}

const Context = createContext<DashboardContext | null>(null)
export const DashboardContextProvider = Context.Provider

export function useDashboardContext(): DashboardContext {
  const context = useContext(Context)
  if (!context) throw new Error('useDashboardContext needs a dashboard around it.')
  return context
}
