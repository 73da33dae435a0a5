import { createContext, useContext } from 'react'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import type { Editor } from './editing/editor.ts'
import type { Nudge } from './grid/layout.ts'

/** What every tile needs. It stays the same object while numbers change, so that tiles need not be drawn again. */
export interface DashboardContext {
  readonly dashboardId: number
  readonly editor: Editor
  readonly canEdit: boolean
  readonly isKiosk: boolean
  readonly isPhone: boolean
  readonly refreshTile: (tile: Tile) => void
  readonly nudgeTile: (tile: Tile, how: Nudge) => void
  /** Puts it on another dashboard; a move takes it off this one. */
  readonly transferTile: (tile: Tile, how: 'copy' | 'move') => void
}

const Context = createContext<DashboardContext | null>(null)
export const DashboardContextProvider = Context.Provider

export function useDashboardContext(): DashboardContext {
  const desk = useContext(Context)
  if (!desk) throw new Error('There is no dashboard around this.')
  return desk
}
