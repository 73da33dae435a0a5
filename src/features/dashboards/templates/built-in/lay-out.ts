import { flowTiles } from '#model/grid.ts'
import type { TemplateInsight } from '../template.ts'

/** The size of a headline figure: four in a row at the top of a dashboard. */
export const FIGURE = { w: 3, h: 2 }

/** A tile with its size, if it is not the default; its position follows from the order. */
export interface TileSpec {
  readonly name: string
  readonly description: string
  readonly query: object
  readonly w?: number
  readonly h?: number
}

export function layOut(specs: readonly TileSpec[]): TemplateInsight[] {
  const layouts = flowTiles(specs)
  return specs.map(({ name, description, query }, index) => ({
    type: 'INSIGHT',
    name,
    description,
    query,
    color: null,
    layouts: layouts[index] as object,
  }))
}
