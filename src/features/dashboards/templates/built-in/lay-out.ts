import { flowTiles } from '#model/grid.ts'
import type { TemplateInsight } from '../template.ts'

/** A tile with its size, if it is not the default; its position follows from the order. */
export interface TileSpec {
  readonly name: string
  readonly description: string
  readonly query: object
  readonly color?: string
  readonly w?: number
  readonly h?: number
}

export function layOut(specs: readonly TileSpec[]): TemplateInsight[] {
  const layouts = flowTiles(specs)
  return specs.map(({ name, description, query, color = null }, index) => ({
    type: 'INSIGHT',
    name,
    description,
    query,
    color,
    layouts: layouts[index] as object,
  }))
}
