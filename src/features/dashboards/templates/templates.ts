import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, json, now, uuid } from '#server/db/values.ts'
import { forbidden, invalid, notFound } from '#server/errors.ts'
import { projectLog } from '#server/features/accounts/projects/projects.ts'
import { listUsersById } from '#server/features/accounts/users/store.ts'
import { requireOwnQuery, requireQuery } from '#server/features/results/check/check-query.ts'
import { toUuid } from '#server/http/ids.ts'
import { requireName } from '#server/http/names.ts'
import { toTags } from '../tag-store.ts'
import { BUILT_IN, type BuiltInTemplate, findBuiltIn } from './built-in/built-in.ts'
import { toBuiltInRepresentation, toRepresentation } from './representation.ts'
import type { DashboardTemplate, TemplateCreate, TemplatePatch, TemplateQuery } from './schema.ts'
import {
  findTemplateRow,
  findTemplateRowByName,
  insertTemplate,
  listTemplateRows,
  type TemplateRow,
  updateTemplate,
} from './store.ts'
import { getDashboardAsTemplate } from './template-sources.ts'

const MAX_NAME = 400

type TemplateFilters = Omit<TemplateQuery, keyof PageRange>

/** Lists the built-in templates, then the project's own. */
export async function listTemplates(
  db: Db,
  { projectId }: Caller,
  { search = '', scope, deleted = false }: TemplateFilters,
  { limit, offset }: PageRange,
): Promise<Slice<DashboardTemplate>> {
  const hasBuiltIn = !deleted && (scope === undefined || scope === 'global')
  const hasOwn = scope === undefined || scope === 'team'
  const builtIn = hasBuiltIn ? BUILT_IN.filter((each) => matchesSearch(each, search)) : []
  const shown = builtIn.slice(offset, offset + limit)
  const rest = { limit: limit - shown.length, offset: Math.max(0, offset - builtIn.length) }
  const own = hasOwn
    ? await listTemplateRows(db, projectId, { search, deleted }, rest)
    : { count: 0, results: [] }
  const creators = own.results.map((row) => row.created_by)
  const users = await listUsersById(db, creators)
  return {
    count: builtIn.length + own.count,
    results: [
      ...shown.map(toBuiltInRepresentation),
      ...own.results.map((row) => toRepresentation(row, users)),
    ],
  }
}

function matchesSearch({ template }: BuiltInTemplate, search: string): boolean {
  const { name, description, tags } = template
  return [name, description, ...tags].join('\n').toLowerCase().includes(search.toLowerCase())
}

export async function getTemplate(
  db: Db,
  { projectId }: Caller,
  id: string,
): Promise<DashboardTemplate> {
  const uuid = toUuid(id)
  const builtIn = BUILT_IN.find((each) => each.id === uuid)
  if (builtIn) return toBuiltInRepresentation(builtIn)
  const row = uuid && (await findTemplateRow(db, projectId, uuid))
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
  requireOwnQueries(caller, body)
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
    const created = await insertTemplate(tx, row)
    await logTemplate(tx, caller, created, 'template created')
    return getTemplate(tx, caller, created.id)
  })
}

export function patchTemplate(
  db: Db,
  caller: Caller,
  { id, body }: { readonly id: string; readonly body: TemplatePatch },
): Promise<DashboardTemplate> {
  requireQueries(body)
  return changeProject(db, caller.projectId, async (tx) => {
    const { scope } = await getTemplate(tx, caller, id)
    if (scope === 'global') throw forbidden('Built-in templates cannot be changed.')
    const before = (await findTemplateRow(tx, caller.projectId, toUuid(id) ?? '')) as TemplateRow
    const after = { ...before, ...toColumns(body) }
    if (after.tiles !== before.tiles) requireOwnQueries(caller, body)
    await requireFreeName(tx, after)
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      await updateTemplate(tx, after)
      await logTemplate(tx, caller, after, toActivity(before, after))
    }
    return getTemplate(tx, caller, id)
  })
}

function toActivity(before: TemplateRow, after: TemplateRow): string {
  if (before.deleted === after.deleted) return 'template updated'
  return after.deleted ? 'template deleted' : 'template restored'
}

/** Leaves out fields that were not sent: spread over a row, an undefined field would erase its column. */
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

/** Queries with variables are not checked: they are complete only after a client fills in the values. */
function requireQueries({ tiles = [], variables }: TemplatePatch): void {
  if (variables && variables.length > 0) return
  for (const [index, { query }] of tiles.entries()) {
    if (query) requireQuery(query, `tiles__${index}__query`)
  }
}

function requireOwnQueries(caller: Caller, { tiles = [] }: TemplatePatch): void {
  for (const { query } of tiles) requireOwnQuery(caller, query ?? {})
}

/** Names are unique among live templates. A template in the trash frees its name. */
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

/** Logs under the project, because the log needs a number and a template's id is a UUID. */
const logTemplate = (
  tx: Tx,
  caller: Caller,
  { name }: { readonly name: string },
  activity: string,
) => projectLog.logActivity(tx, caller, { id: caller.projectId, name }, activity)
