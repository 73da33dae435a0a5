import { createContext, useContext } from 'react'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import type { Editor } from './editing/editor.ts'
import type { Nudge } from './grid/layout.ts'

/** What every tile needs. It stays the same object while numbers change, so that tiles need not be drawn again. */
export interface Desk {
  readonly dashboardId: number
  readonly editor: Editor
  readonly canEdit: boolean
  readonly isKiosk: boolean
  readonly isPhone: boolean
  readonly refreshTile: (tile: Tile) => void
  readonly nudgeTile: (tile: Tile, how: Nudge) => void
  /** Puts it on another dashboard; a move takes it off this one. */
  readonly sendTile: (tile: Tile, how: 'copy' | 'move') => void
}

const DeskContext = createContext<Desk | null>(null)
export const DeskProvider = DeskContext.Provider

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('There is no dashboard around this.')
  return desk
}
