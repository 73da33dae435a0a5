import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { toSearchKey } from '#server/db/search-key.ts'
import { now, uuid } from '#server/db/values.ts'
import { forbidden, invalid, notFound } from '#server/errors.ts'
import { projectLog } from '#server/features/accounts/projects/projects.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { requireOwnQuery, requireQuery } from '#server/features/results/check/check-query.ts'
import { toUuid } from '#server/http/ids.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { BUILT_IN, findBuiltIn } from './built-in/built-in.ts'
import { templateResource } from './fields.ts'
import type { TemplateCreate, TemplatePatch, TemplateQuery } from './schema.ts'
import {
  findTemplateRow,
  findTemplateRowByName,
  insertTemplate,
  listTemplateRows,
  type TemplateRow,
  updateTemplate,
} from './store.ts'
import type { Template } from './template.ts'
import { getDashboardAsTemplate } from './template-sources.ts'

type TemplateFilters = Omit<TemplateQuery, keyof PageRange>

const BUILT_IN_ROWS = BUILT_IN.map(({ id, template }) => ({
  ...templateResource.empty,
  ...templateResource.toColumns(toFields(template)),
  id,
  project_id: null,
  created_by: null,
  created_at: null,
}))

type ListedTemplate = TemplateRow | (typeof BUILT_IN_ROWS)[number]

function toFields({ name, description, filters, tags, tiles }: Template) {
  return {
    template_name: name,
    dashboard_description: description,
    dashboard_filters: filters,
    tags,
    tiles,
  }
}

/** Lists the built-in templates, then the project's own. */
export async function listTemplates(
  db: Db,
  { projectId }: Caller,
  { search = '', scope, deleted = false }: TemplateFilters,
  { limit, offset }: PageRange,
): Promise<Slice<JsonText>> {
  const hasBuiltIn = !deleted && (scope === undefined || scope === 'global')
  const hasOwn = scope === undefined || scope === 'team'
  const matches = (row: ListedTemplate) => toSearchKey(row).includes(search.toLowerCase())
  const builtIn = hasBuiltIn ? BUILT_IN_ROWS.filter(matches) : []
  const shown = builtIn.slice(offset, offset + limit)
  const rest = { limit: limit - shown.length, offset: Math.max(0, offset - builtIn.length) }
  const own = hasOwn
    ? await listTemplateRows(db, projectId, { search, deleted }, rest)
    : { count: 0, results: [] }
  return {
    count: builtIn.length + own.count,
    results: await toTemplates(db, [...shown, ...own.results]),
  }
}

export const getTemplate = async (db: Db, caller: Caller, id: string): Promise<JsonText> =>
  toTemplate(db, await getTemplateRow(db, caller, id))

async function getTemplateRow(db: Db, { projectId }: Caller, id: string): Promise<ListedTemplate> {
  const uuid = toUuid(id) ?? ''
  const builtIn = BUILT_IN_ROWS.find((row) => row.id === uuid)
  const row = builtIn ?? (await findTemplateRow(db, projectId, uuid))
  if (!row) throw notFound()
  return row
}

export function createTemplate(db: Db, caller: Caller, body: TemplateCreate): Promise<JsonText> {
  const { from_dashboard, ...fields } = body
  if (from_dashboard !== undefined && body.tiles) {
    throw invalid(null, '`from_dashboard` and `tiles` cannot be used together')
  }
  requireQueries(body)
  requireOwnQueries(caller, body)
  return changeProject(db, caller.projectId, async (tx) => {
    const source =
      from_dashboard === undefined
        ? { template_name: '', tiles: [] }
        : toFields(await getDashboardAsTemplate(tx, caller, from_dashboard))
    const row = {
      ...templateResource.empty,
      ...templateResource.toColumns({ ...source, ...fields }),
      id: uuid(),
      project_id: caller.projectId,
      created_by: caller.userId,
      created_at: now(),
    }
    await requireFreeName(tx, row)
    const created = await insertTemplate(tx, row)
    await logTemplate(tx, caller, created, 'template created')
    return toTemplate(tx, created)
  })
}

export function patchTemplate(
  db: Db,
  caller: Caller,
  { id, body }: { readonly id: string; readonly body: TemplatePatch },
): Promise<JsonText> {
  requireQueries(body)
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getTemplateRow(tx, caller, id)
    if (before.project_id === null) throw forbidden('Built-in templates cannot be changed.')
    const after = { ...before, ...templateResource.toColumns(body) }
    if (after.tiles !== before.tiles) requireOwnQueries(caller, body)
    await requireFreeName(tx, after)
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      await updateTemplate(tx, after)
      await logTemplate(tx, caller, after, toActivity(before, after))
    }
    return toTemplate(tx, after)
  })
}

function toActivity(before: TemplateRow, after: TemplateRow): string {
  if (before.deleted === after.deleted) return 'template updated'
  return after.deleted ? 'template deleted' : 'template restored'
}

async function toTemplate(db: Db, row: ListedTemplate): Promise<JsonText> {
  const [template] = await toTemplates(db, [row])
  return template as JsonText
}

async function toTemplates(db: Db, rows: readonly ListedTemplate[]): Promise<JsonText[]> {
  const creators = rows.map((row) => row.created_by)
  const users = await listUserTexts(db, creators)
  return rows.map((row) => templateResource.toText(row, { users }))
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

const logTemplate = (
  tx: Tx,
  caller: Caller,
  { name }: { readonly name: string },
  activity: string,
) => projectLog.logActivity(tx, caller, { id: caller.projectId, name }, activity)
