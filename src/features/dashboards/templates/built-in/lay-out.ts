import { COLUMNS, flowTiles } from '#model/grid.ts'
import type { TemplateTile } from '../template.ts'

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

/** The title of a section, which has the tiles up to the next title. */
interface TitleSpec {
  readonly section: string
}

const TITLE = { w: COLUMNS, h: 1 }

export function layOut(specs: readonly (TileSpec | TitleSpec)[]): TemplateTile[] {
  const layouts = flowTiles(specs.map((spec) => ('section' in spec ? TITLE : spec)))
  return specs.map((spec, index) => {
    const look = { color: null, layouts: layouts[index] as object }
    if ('section' in spec) return { type: 'TEXT', body: spec.section, section: 'open', ...look }
    const { name, description, query } = spec
    return { type: 'INSIGHT', name, description, query, ...look }
  })
}
