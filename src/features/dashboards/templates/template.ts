import type { Section } from '#model/grid.ts'
import type { TemplateTileInput } from './fields.ts'

/** A template to create dashboards from: built in, stored, or sent in a request. */
export interface Template {
  /** Also the name of a dashboard that is created without one. */
  readonly name: string
  readonly description: string
  readonly filters: object
  readonly tags: readonly string[]
  readonly tiles: readonly TemplateTile[]
}

export type TemplateTile = TemplateInsight | TemplateText

interface TemplateTileLook {
  readonly color: string | null
  readonly layouts: object
  readonly show_description?: boolean
  readonly filters_overrides?: object
}

export interface TemplateInsight extends TemplateTileLook {
  readonly type: 'INSIGHT'
  readonly name: string
  readonly description: string
  readonly query: object
}

export interface TemplateText extends TemplateTileLook {
  readonly type: 'TEXT'
  readonly body: string
  /** Set if the text is the title of a section. */
  readonly section?: Section
}

/** Fills in missing fields and drops tiles of unknown types. */
export const toTemplateTiles = (tiles: readonly TemplateTileInput[]): TemplateTile[] =>
  tiles.flatMap((tile) => toTemplateTile(tile) ?? [])

function toTemplateTile(tile: TemplateTileInput): TemplateTile | undefined {
  const look = toLook({ ...tile, color: tile.color ?? null, layouts: tile.layouts ?? {} })
  if (tile.type === 'TEXT')
    return { type: 'TEXT', body: tile.body ?? '', ...toTitle(tile), ...look }
  if (tile.type !== 'INSIGHT') return undefined
  return {
    type: 'INSIGHT',
    name: tile.name ?? '',
    description: tile.description ?? '',
    query: tile.query ?? {},
    ...look,
  }
}

type Look = Pick<TemplateTileInput, 'show_description' | 'filters_overrides'> &
  Pick<TemplateTileLook, 'color' | 'layouts'>

/** Leaves out what a tile does not set, so that exported templates stay short. */
export const toLook = ({
  color,
  layouts,
  show_description,
  filters_overrides,
}: Look): TemplateTileLook => ({
  color,
  layouts,
  ...(typeof show_description === 'boolean' && { show_description }),
  ...(filters_overrides && Object.keys(filters_overrides).length > 0 && { filters_overrides }),
})

export const toTitle = ({ section }: { readonly section?: Section | null | undefined }) =>
  section ? { section } : {}
