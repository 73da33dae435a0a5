import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { Tile, TileInput } from '#server/features/dashboards/tiles/schema.ts'

type Field = 'name' | 'description' | 'pinned' | 'tags' | 'filters' | 'variables'
export type DashboardFields = Partial<Pick<Dashboard, Field>>

/** A tile or insight that is deleted or restored. */
export interface Deletion {
  readonly id: number
  readonly deleted: boolean
}

interface Elsewhere {
  readonly dashboard: number
  readonly tiles: readonly number[]
  readonly deleted: boolean
}

/** One edit: fields of the dashboard, some of its tiles, or the name of an insight on it. */
export interface DashboardEdit {
  readonly fields?: DashboardFields
  readonly tiles?: readonly TileInput[]
  readonly insight?: { readonly id: number; readonly name: string }
  /** Insights that were created with a tile. */
  readonly insights?: readonly Deletion[]
  /** The tiles on another dashboard that a copy or move created. */
  readonly elsewhere?: Elsewhere
}

/** Returns the dashboard with the change applied. New tiles appear once they are saved. */
export function applyChange(
  dashboard: Dashboard,
  { fields, tiles, insight }: DashboardEdit,
): Dashboard {
  const changes = new Map(tiles?.map((change) => [change.id, change]))
  return {
    ...dashboard,
    ...fields,
    tiles: dashboard.tiles.flatMap((tile) => {
      const change = changes.get(tile.id)
      if (change?.deleted) return []
      return [withName(change ? withChange(tile, change) : tile, insight)]
    }),
  }
}

function withChange(tile: Tile, change: TileInput): Tile {
  const { layouts, color, show_description, section, filters_overrides, text } = change
  return {
    ...tile,
    ...(layouts && { layouts }),
    ...(color !== undefined && { color }),
    ...(show_description !== undefined && { show_description }),
    ...(section !== undefined && { section }),
    ...(filters_overrides && { filters_overrides }),
    ...(text && tile.text && { text: { ...tile.text, body: text.body ?? '' } }),
  }
}

const withName = (tile: Tile, renamed: DashboardEdit['insight']): Tile =>
  tile.insight && tile.insight.id === renamed?.id
    ? { ...tile, insight: { ...tile.insight, name: renamed.name } }
    : tile

/** Returns the change that undoes this one, or null while the ids of new tiles are unknown. */
export function invertChange(dashboard: Dashboard, change: DashboardEdit): DashboardEdit | null {
  const tiles = change.tiles?.map((tile) => invertTile(dashboard, tile))
  if (tiles?.includes(null)) return null
  const renamed = dashboard.tiles.find(({ insight }) => insight?.id === change.insight?.id)?.insight
  return {
    ...(change.fields && { fields: pick(dashboard, Object.keys(change.fields) as Field[]) }),
    ...(tiles && { tiles: tiles as TileInput[] }),
    ...(change.insight && { insight: { id: change.insight.id, name: renamed?.name ?? '' } }),
    ...(change.insights && { insights: change.insights.map(invertDeletion) }),
    ...(change.elsewhere && { elsewhere: invertDeletion(change.elsewhere) }),
  }
}

const invertDeletion = <T extends Pick<Deletion, 'deleted'>>(deletion: T): T => ({
  ...deletion,
  deleted: !deletion.deleted,
})

function invertTile(dashboard: Dashboard, change: TileInput): TileInput | null {
  if (change.id === undefined) return null
  if (change.deleted !== undefined) return { id: change.id, deleted: !change.deleted }
  const tile = dashboard.tiles.find(({ id }) => id === change.id)
  return {
    id: change.id,
    ...(change.layouts && { layouts: tile?.layouts ?? {} }),
    ...(change.color !== undefined && { color: tile?.color ?? null }),
    ...(change.show_description !== undefined && {
      show_description: tile?.show_description ?? null,
    }),
    ...(change.section !== undefined && { section: tile?.section ?? null }),
    ...(change.filters_overrides && { filters_overrides: tile?.filters_overrides ?? {} }),
    ...(change.text && { text: { body: tile?.text?.body ?? '' } }),
  }
}

const pick = (dashboard: Dashboard, names: readonly Field[]): DashboardFields =>
  Object.fromEntries(names.map((name) => [name, dashboard[name]]))

/** Deletes or restores tiles, with the insights that were created for them. */
export function setDeleted(
  created: readonly Tile[],
  inputs: readonly TileInput[],
  deleted: boolean,
): DashboardEdit {
  const given = new Set(inputs.flatMap(({ insight }) => insight?.id ?? []))
  const own = created.flatMap(({ insight }) => insight?.id ?? []).filter((id) => !given.has(id))
  return {
    tiles: created.map(({ id }) => ({ id, deleted })),
    ...(own.length > 0 && { insights: own.map((id) => ({ id, deleted })) }),
  }
}

const movesOnly = ({ tiles = [], ...others }: DashboardEdit): boolean =>
  Object.keys(others).length === 0 &&
  tiles.every((tile) => tile.id !== undefined && Object.keys(tile).join() === 'id,layouts')

/** Merges consecutive moves into one save; null if either change is more than a move. */
export function mergeMoves(first: DashboardEdit, second: DashboardEdit): DashboardEdit | null {
  if (!movesOnly(first) || !movesOnly(second)) return null
  const tiles = new Map([...(first.tiles ?? []), ...(second.tiles ?? [])].map((t) => [t.id, t]))
  return { tiles: [...tiles.values()] }
}
