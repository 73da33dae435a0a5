import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { json, now } from '#server/db/values.ts'
import { invalid, notFound } from '#server/errors.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { requireOwnQuery } from '#server/features/results/check/check-query.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { insertFirstLink } from '../link-store.ts'
import { isHidden, requireEdit, requireRestrict } from '../rights.ts'
import { createTilesFromTemplate } from '../templates/create-tiles.ts'
import type { Template } from '../templates/template.ts'
import { findTemplate, requireTemplate } from '../templates/template-sources.ts'
import { createTiles, upsertTiles } from '../tiles/apply-tiles.ts'
import { copyTiles } from '../tiles/copy-tiles.ts'
import { listTiles } from '../tiles/store.ts'
import { logDashboard, logDashboardChanges } from './activity.ts'
import { findSeenEdit, requireNoUnseenEdit } from './edit-conflicts.ts'
import { dashboardItem, dashboardResource, modifiedItem } from './fields.ts'
import { type DashboardListFilters, listDashboardRows } from './list-store.ts'
import type { DashboardWrite } from './schema.ts'
import {
  type DashboardRow,
  type DashboardWithTiles,
  findDashboard,
  insertDashboard,
  type ListedRow,
  updateDashboard,
} from './store.ts'
import { restoreInsights, trashInsights } from './trash-store.ts'

export async function listDashboards(
  db: Db,
  caller: Caller,
  filters: DashboardListFilters,
  range: PageRange,
): Promise<Slice<JsonText>> {
  const { count, results } = await listDashboardRows(db, caller, filters, range)
  const item = filters.with_modified ? modifiedItem : dashboardItem
  return { count, results: await toItemTexts(db, caller, results, item) }
}

/** Writes dashboards as the caller sees them in a list. */
export async function toItemTexts(
  db: Db,
  caller: Caller,
  rows: readonly ListedRow[],
  { toText }: Pick<typeof modifiedItem, 'toText'> = dashboardItem,
): Promise<JsonText[]> {
  const creators = rows.map((row) => row.created_by)
  const context = { member: caller, users: await listUserTexts(db, creators) }
  return rows.map((row) => toText(row, context))
}

/** `resource` names the missing record in the errors of nested paths. */
export async function getDashboardRow(
  db: Db,
  caller: Caller,
  id: number,
  resource?: string,
): Promise<DashboardRow> {
  const row = await findDashboard(db, caller, id)
  if (!row || isHidden(caller, row)) throw notFound(resource)
  return row
}

export async function getDashboardWithTiles(
  db: Db,
  caller: Caller,
  id: number,
): Promise<DashboardWithTiles> {
  const row = await getDashboardRow(db, caller, id)
  return { row, tiles: await listTiles(db, caller.projectId, id) }
}

export function createDashboard(
  db: Db,
  caller: Caller,
  body: DashboardWrite,
): Promise<DashboardWithTiles> {
  requireOneOrigin(body)
  return changeProject(db, caller.projectId, async (tx) => {
    const { use_template, use_dashboard } = body
    const template = use_template ? await getTemplate(tx, caller, use_template) : undefined
    const source = use_dashboard ? await getSource(tx, caller, use_dashboard) : undefined
    const mode = template ? 'template' : source ? 'duplicate' : 'default'
    return create(tx, caller, body, { mode, template, source })
  })
}

/** Creates a dashboard from a template in the request. Its `creation_mode` is `default`, as upstream has it. */
export function createDashboardFromJson(
  db: Db,
  caller: Caller,
  templateJson: object,
): Promise<DashboardWithTiles> {
  const template = requireTemplate(templateJson)
  for (const tile of template.tiles) {
    if (tile.type === 'INSIGHT') requireOwnQuery(caller, tile.query)
  }
  return changeProject(db, caller.projectId, (tx) =>
    create(tx, caller, {}, { mode: 'default', template, source: undefined }),
  )
}

/** Creates a dashboard from a template that the server knows as `name`, and may have filled in. */
export const createFromTemplate = (
  tx: Tx,
  caller: Caller,
  template: Template,
  name: string,
): Promise<DashboardWithTiles> =>
  create(tx, caller, { use_template: name }, { mode: 'template', template, source: undefined })

interface Origin {
  readonly mode: DashboardRow['creation_mode']
  readonly template: Template | undefined
  readonly source: DashboardRow | undefined
}

/** The body overrides the template and the source. */
async function create(
  tx: Tx,
  caller: Caller,
  body: DashboardWrite,
  { mode, template, source }: Origin,
): Promise<DashboardWithTiles> {
  const { projectId } = caller
  const id = await insertDashboard(tx, {
    ...dashboardResource.empty,
    ...(template && {
      name: template.name,
      description: template.description,
      filters: json(template.filters),
      tags: json(template.tags),
    }),
    ...(source && { filters: source.filters, variables: source.variables }),
    ...dashboardResource.toColumns({
      ...body,
      name: body.name || undefined,
      variables: body.variables ?? undefined,
    }),
    project_id: projectId,
    creation_mode: mode,
    created_by: caller.userId,
    created_at: now(),
  })
  await insertFirstLink(tx, projectId, id)
  if (template) await createTilesFromTemplate(tx, caller, id, template)
  if (source) {
    await copyTiles(tx, caller, {
      from: source.id,
      to: id,
      deep: body.duplicate_tiles ?? false,
    })
  }
  if (body.tiles) await createTiles({ tx, caller, dashboardId: id }, body.tiles)
  const created = await getDashboardWithTiles(tx, caller, id)
  await logDashboard(tx, caller, created.row, 'created')
  return created
}

function requireOneOrigin({ use_template, use_dashboard }: DashboardWrite): void {
  if (use_template && use_dashboard) {
    throw invalid(null, '`use_dashboard` and `use_template` cannot be used together')
  }
}

async function getTemplate(tx: Tx, { projectId }: Caller, name: string): Promise<Template> {
  const template = await findTemplate(tx, projectId, name)
  if (!template) throw invalid('use_template', `Invalid template provided: ${name.slice(0, 400)}`)
  return template
}

async function getSource(tx: Tx, caller: Caller, id: number): Promise<DashboardRow> {
  const source = await findDashboard(tx, caller, id)
  if (!source || source.deleted) throw invalid('use_dashboard', 'Invalid value provided')
  return source
}

interface PatchInput {
  readonly id: number
  readonly body: DashboardWrite
  /** The newest activity that the client has seen; a newer edit is a conflict. */
  readonly seenActivity?: number | undefined
}

export function patchDashboard(
  db: Db,
  caller: Caller,
  { id, body, seenActivity }: PatchInput,
): Promise<DashboardWithTiles & { readonly seenActivity?: number }> {
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getDashboardWithTiles(tx, caller, id)
    const { row } = before
    requireEdit(caller, row)
    requireOneOrigin(body)
    if (seenActivity !== undefined) await requireNoUnseenEdit(tx, row, seenActivity)
    if (body.restriction_level !== undefined) requireRestrict(caller, row)

    const { use_template: _, use_dashboard: __, ...changed } = body
    await updateDashboard(tx, row, dashboardResource.toColumns(changed))
    if (body.tiles) await upsertTiles({ tx, caller, dashboardId: id }, body.tiles)
    await trashOrRestoreInsights(tx, row, body)

    const after = await getDashboardWithTiles(tx, caller, id)
    await logDashboardChanges(tx, caller, before, after)
    if (seenActivity === undefined) return after
    return { ...after, seenActivity: await findSeenEdit(tx, row, seenActivity) }
  })
}

async function trashOrRestoreInsights(
  tx: Tx,
  { id, project_id, deleted }: DashboardRow,
  body: DashboardWrite,
): Promise<void> {
  const wasDeleted = deleted === 1
  const isDeleted = body.deleted ?? wasDeleted
  if (body.deleted && !wasDeleted && body.delete_insights) await trashInsights(tx, project_id, id)
  // a restored dashboard or tile brings its insights back
  if (!isDeleted && (wasDeleted || body.tiles)) await restoreInsights(tx, project_id, id)
}
