import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, json, now, uuid } from '#server/db/values.ts'
import { forbidden, invalid, notFound } from '#server/errors.ts'
import { insertActivity } from '#server/features/activity/store.ts'
import { listUsersById } from '#server/features/people/users/store.ts'
import { toUuid } from '#server/http/ids.ts'
import { requireName } from '#server/http/names.ts'
import { requireQuery } from '../insights/check-query.ts'
import { toTags } from '../tags.ts'
import { BUILT_IN, findBuiltIn } from './built-in.ts'
import { getDashboardAsTemplate } from './from-dashboard.ts'
import { toBuiltInRepresentation, toRepresentation } from './representation.ts'
import type { DashboardTemplate, TemplateCreate, TemplatePatch } from './schema.ts'
import {
  findTemplateRow,
  findTemplateRowByName,
  insertTemplate,
  type TemplateRow,
  updateTemplate,
} from './store.ts'

const MAX_NAME = 400

export async function getTemplate(
  db: Db,
  { projectId }: Caller,
  id: string,
): Promise<DashboardTemplate> {
  const wanted = toUuid(id)
  const builtIn = BUILT_IN.find((known) => known.id === wanted)
  if (builtIn) return toBuiltInRepresentation(builtIn)
  const row = wanted && (await findTemplateRow(db, projectId, wanted))
  if (!row) throw notFound()
  return toRepresentation(row, await listUsersById(db, [row.created_by]))
}

export function createTemplate(
  db: Db,
  caller: Caller,
  body: TemplateCreate,
): Promise<DashboardTemplate> {
  if (body.from_dashboard !== undefined && body.tiles) {
    throw invalid(null, '`from_dashboard` and `tiles` cannot be used together')
  }
  requireQueries(body)
  return changeProject(db, caller.projectId, async (tx) => {
    const source =
      body.from_dashboard === undefined
        ? undefined
        : await getDashboardAsTemplate(tx, caller, body.from_dashboard)
    const row = {
      id: uuid(),
      project_id: caller.projectId,
      name: requireName('template_name', body.template_name ?? source?.name ?? '', MAX_NAME),
      description: body.dashboard_description ?? source?.description ?? '',
      filters: json(body.dashboard_filters ?? source?.filters ?? {}),
      tags: json(body.tags ? toTags(body.tags) : (source?.tags ?? [])),
      tiles: json(requireTiles(body.tiles ?? source?.tiles ?? [])),
      variables: body.variables ? json(body.variables) : null,
      image_url: body.image_url ?? null,
      deleted: flag(body.deleted ?? false),
      created_by: caller.userId,
      created_at: now(),
    }
    await requireFreeName(tx, row)
    const made = await insertTemplate(tx, row)
    await log(tx, caller, made, 'template created')
    return getTemplate(tx, caller, made.id)
  })
}

export function patchTemplate(
  db: Db,
  caller: Caller,
  id: string,
  body: TemplatePatch,
): Promise<DashboardTemplate> {
  requireQueries(body)
  return changeProject(db, caller.projectId, async (tx) => {
    const { scope } = await getTemplate(tx, caller, id)
    if (scope === 'global') throw forbidden('Built-in templates cannot be changed.')
    const before = (await findTemplateRow(tx, caller.projectId, toUuid(id) ?? '')) as TemplateRow
    const after = { ...before, ...toColumns(body) }
    await requireFreeName(tx, after)
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      await updateTemplate(tx, after)
      const deleted = after.deleted ? 'template deleted' : 'template restored'
      await log(tx, caller, after, before.deleted === after.deleted ? 'template updated' : deleted)
    }
    return getTemplate(tx, caller, id)
  })
}

/** Only what is said: in a spread, what is there and undefined would count. */
const toColumns = (body: TemplatePatch): Partial<TemplateRow> => ({
  ...(body.template_name !== undefined && {
    name: requireName('template_name', body.template_name, MAX_NAME),
  }),
  ...(body.dashboard_description !== undefined && { description: body.dashboard_description }),
  ...(body.dashboard_filters && { filters: json(body.dashboard_filters) }),
  ...(body.tags && { tags: json(toTags(body.tags)) }),
  ...(body.tiles && { tiles: json(requireTiles(body.tiles)) }),
  ...(body.variables !== undefined && { variables: body.variables && json(body.variables) }),
  ...(body.image_url !== undefined && { image_url: body.image_url }),
  ...(body.deleted !== undefined && { deleted: flag(body.deleted) }),
})

function requireTiles<Tile>(tiles: readonly Tile[]): readonly Tile[] {
  if (tiles.length > 0) return tiles
  throw invalid('tiles', 'You need to provide tiles for the template.')
}

/** With variables in them, queries are whole only when a client has put values in. */
function requireQueries({ tiles = [], variables }: TemplatePatch): void {
  if (variables && variables.length > 0) return
  for (const [index, { query }] of tiles.entries()) {
    if (query) requireQuery(query, `tiles__${index}__query`)
  }
}

/** In the trash a name is free for others, so coming back needs it to be free still. */
async function requireFreeName(
  tx: Tx,
  { id, project_id, name, deleted }: Pick<TemplateRow, 'id' | 'project_id' | 'name' | 'deleted'>,
): Promise<void> {
  if (deleted) return
  const other = await findTemplateRowByName(tx, project_id, name)
  if (!findBuiltIn(name) && (!other || other.id === id)) return
  throw invalid(
    'template_name',
    'A dashboard template with this name already exists for this project.',
  )
}

/** In the project's log: a template's id is no number. */
const log = (tx: Tx, caller: Caller, { name }: { readonly name: string }, activity: string) =>
  insertActivity(tx, { ...caller, scope: 'Project', itemId: caller.projectId, activity, name })
