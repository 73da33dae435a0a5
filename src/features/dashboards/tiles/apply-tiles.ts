import type { Caller } from '#server/access/guard.ts'
import { touchDashboardsShowing } from '#server/db/dashboard-versions.ts'
import type { Tx } from '#server/db/schema.ts'
import { type Flag, flag, json } from '#server/db/values.ts'
import { doesNotExist, forbidden, invalid } from '#server/errors.ts'
import { requireOwnQuery, requireQuery } from '#server/features/results/check/check-query.ts'
import { findInsight, insertInsight } from '../insight-rows/store.ts'
import { canEdit } from '../rights.ts'
import type { TileInput } from './schema.ts'
import {
  findTile,
  findTileOfText,
  insertText,
  insertTile,
  listDashboardsWithText,
  updateText,
  updateTile,
} from './store.ts'

type TextInput = NonNullable<TileInput['text']>
type InsightInput = NonNullable<TileInput['insight']>

/** The dashboard whose tiles a caller changes. */
interface Target {
  readonly tx: Tx
  readonly caller: Caller
  readonly dashboardId: number
}

/** Creates every tile and ignores ids: a new dashboard has no tile to update. */
export async function createTiles(target: Target, tiles: readonly TileInput[]): Promise<void> {
  for (const [index, tile] of tiles.entries()) await createTile(target, tile, `tiles__${index}`)
}

/** Updates the tiles with an id and creates the others. Tiles not listed stay as they are. */
export async function upsertTiles(target: Target, tiles: readonly TileInput[]): Promise<void> {
  const { tx, caller } = target
  for (const [index, tile] of tiles.entries()) {
    const attr = `tiles__${index}`
    const existing = await findExisting(target, tile, attr)
    if (!existing) {
      await createTile(target, tile, attr)
      continue
    }
    const { layouts, color, show_description, section, deleted, filters_overrides } = tile
    requireText(section, existing.text_id !== null, attr)
    await updateTile(tx, caller.projectId, existing.id, {
      layouts,
      color,
      show_description: flagOrNull(show_description),
      section,
      deleted: flag(deleted),
      filtersOverrides: filters_overrides,
    })
    if (tile.text) await patchText(target, existing.text_id, tile.text, attr)
  }
}

async function findExisting({ tx, caller, dashboardId }: Target, tile: TileInput, attr: string) {
  const { projectId } = caller
  if (tile.id !== undefined) {
    const found = await findTile(tx, projectId, dashboardId, tile.id)
    if (!found) throw doesNotExist(`${attr}__id`, tile.id)
    return found
  }
  if (tile.text?.id === undefined) return undefined
  const found = await findTileOfText(tx, projectId, dashboardId, tile.text.id)
  if (!found) throw doesNotExist(`${attr}__text__id`, tile.text.id)
  return found
}

async function createTile(target: Target, tile: TileInput, attr: string): Promise<void> {
  const { tx, caller, dashboardId } = target
  const { text, insight, layouts = {}, color = null, deleted, filters_overrides } = tile
  if (text && insight) throw invalid(attr, 'A tile shows a text or an insight, not both.')
  if (!text && !insight) throw invalid(attr, 'A new tile needs `text` or `insight`.')
  requireText(tile.section, !insight, attr)
  if (deleted) return
  await insertTile(tx, {
    projectId: caller.projectId,
    dashboardId,
    textId: text ? await insertText(tx, caller, text.body ?? '') : undefined,
    insightId: insight ? await toInsightId(target, insight, attr) : undefined,
    layouts,
    color,
    showDescription: flagOrNull(tile.show_description),
    section: tile.section,
    filtersOverrides: filters_overrides,
  })
}

function requireText(section: TileInput['section'], isText: boolean, attr: string): void {
  if (section && !isText) {
    throw invalid(`${attr}__section`, 'Only a text can be the title of a section.')
  }
}

/** null resets the column; `undefined` leaves it unchanged. */
const flagOrNull = (value: boolean | null | undefined): Flag | null | undefined =>
  value === null ? null : flag(value)

async function toInsightId(
  { tx, caller }: Target,
  { id, name, description, query }: InsightInput,
  attr: string,
): Promise<number> {
  if (id === undefined) {
    if (query) {
      requireQuery(query, `${attr}__insight__query`)
      requireOwnQuery(caller, query)
    }
    const created = await insertInsight(tx, caller, {
      name: name ?? '',
      description: description ?? '',
      query: json(query ?? {}),
    })
    return created.id
  }
  const found = await findInsight(tx, caller.projectId, id)
  if (!found || found.deleted) throw doesNotExist(`${attr}__insight__id`, id)
  return found.id
}

/** An unchanged text is not written, so its last modification stays. */
async function patchText(
  { tx, caller }: Target,
  textId: number | null,
  { id, body }: TextInput,
  attr: string,
): Promise<void> {
  if (textId === null) throw invalid(`${attr}__text`, 'This tile shows an insight, not a text.')
  if (id !== undefined && id !== textId) throw doesNotExist(`${attr}__text__id`, id)
  if (body === undefined) return
  const changed = await updateText(tx, caller, textId, body ?? '')
  if (!changed) return
  await requireEditWhereShown(tx, caller, textId)
  await touchDashboardsShowing(tx, caller.projectId, 'text_id', [textId])
}

/** Dashboards can share a text: editing it on one needs the right to edit all of them. */
async function requireEditWhereShown(tx: Tx, caller: Caller, textId: number): Promise<void> {
  const dashboards = await listDashboardsWithText(tx, caller, textId)
  if (dashboards.every((dashboard) => canEdit(caller, dashboard))) return
  throw forbidden("You don't have edit permissions for another dashboard that shows this text.")
}
