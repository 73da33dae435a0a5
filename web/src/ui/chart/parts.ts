import { displayOf } from '#model/displays.ts'
import { kindOf } from '#model/query-kinds/index.ts'

/** The parts of the renderer that few dashboards need. */
const PARTS = {
  paths: () => import('./sankey.ts'),
  map: () => import('./map.ts'),
  box: () => import('./box.ts'),
}

export type PartName = keyof typeof PARTS

/** Finds the part that draws a chart besides the renderer. */
export function findPart({ query }: { readonly query: object | null }): PartName | undefined {
  const kind = kindOf(query)
  if (kind?.id === 'paths') return 'paths'
  const form = kind?.display && displayOf(kind.display.all, query).form
  return form === 'map' || form === 'box' ? form : undefined
}

export const loadPart = (name: PartName): Promise<unknown> => PARTS[name]()
