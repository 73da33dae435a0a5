import { displayOf } from '#model/displays.ts'
import { fieldsOf } from '#model/fields.ts'
import { DEFAULT_SIZE, type Position, toPosition } from '#model/grid.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import type { SketchName } from '#model/symbols.ts'
import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'

export interface SketchTile extends Position {
  readonly name: string
  readonly sketch: SketchName
}

type Free = Readonly<Record<string, unknown>>

/** Returns the tiles of a template at their positions. Tiles without a position follow, two in a row. */
export function toSketchTiles({ tiles }: Pick<DashboardTemplate, 'tiles'>): SketchTile[] {
  return tiles.map((tile, index) => {
    const { name, type, query, layouts } = tile as Free
    const otherwise = {
      x: (index % 2) * DEFAULT_SIZE.w,
      y: Math.floor(index / 2) * DEFAULT_SIZE.h,
    }
    return {
      name: String(name ?? ''),
      sketch: type === 'TEXT' ? 'text' : toSketch(query),
      ...toPosition(fieldsOf(layouts), otherwise),
    }
  })
}

/** Chooses by display if the kind has displays. */
export function toSketch(query: unknown): SketchName {
  const { display, sketch } = kindOf(query) ?? {}
  return (display ? displayOf(display.all, query).sketch : sketch) ?? 'line'
}
