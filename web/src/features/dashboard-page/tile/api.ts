import { useMutation } from '@tanstack/react-query'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { Tile, TileInput } from '#server/features/dashboards/tiles/schema.ts'
import { api } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { dashboardPath } from '../api.ts'

interface Transfer {
  readonly to: number
  readonly toTiles: (others: readonly Tile[]) => readonly TileInput[]
}

/** Adds tiles to another dashboard. Returns the IDs of the new ones. */
export function useTransferTile() {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: async ({ to, toTiles }: Transfer) => {
      const path = dashboardPath(projectId, to)
      const before = await api.get<Dashboard>(path, { refresh: 'force_cache' })
      const known = new Set(before.tiles.map(({ id }) => id))
      const { tiles } = await api.patch<Dashboard>(path, { tiles: toTiles(before.tiles) })
      return tiles.flatMap(({ id }) => (known.has(id) ? [] : [id]))
    },
  })
}
