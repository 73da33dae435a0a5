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

export interface TemplateInsight {
  readonly type: 'INSIGHT'
  readonly name: string
  readonly description: string
  readonly query: object
  readonly color: string | null
  readonly layouts: object
}

export interface TemplateText {
  readonly type: 'TEXT'
  readonly body: string
  /** Set if the text is the title of a section. */
  readonly section?: Section
  readonly color: string | null
  readonly layouts: object
}

/** Fills in missing fields and drops tiles of unknown types. */
export const toTemplateTiles = (tiles: readonly TemplateTileInput[]): TemplateTile[] =>
  tiles.flatMap((tile) => toTemplateTile(tile) ?? [])

function toTemplateTile(tile: TemplateTileInput): TemplateTile | undefined {
  const color = tile.color ?? null
  const layouts = tile.layouts ?? {}
  if (tile.type === 'TEXT')
    return { type: 'TEXT', body: tile.body ?? '', ...toTitle(tile), color, layouts }
  if (tile.type !== 'INSIGHT') return undefined
  return {
    type: 'INSIGHT',
    name: tile.name ?? '',
    description: tile.description ?? '',
    query: tile.query ?? {},
    color,
    layouts,
  }
}

export const toTitle = ({ section }: { readonly section?: Section | null | undefined }) =>
  section ? { section } : {}
