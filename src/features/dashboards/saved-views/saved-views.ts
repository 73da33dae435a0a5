import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { conflict, doesNotExist, invalid, notFound, required } from '#server/errors.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { defineLog } from '#server/features/activity/log.ts'
import { requireId } from '#server/http/ids.ts'
import { requireName } from '#server/http/names.ts'
import { requireUnderstood } from '#server/http/require-understood.ts'
import { getSchemaCheck } from '#server/http/validation.ts'
import { findDashboard } from '../dashboards/store.ts'
import { requireEdit } from '../rights.ts'
import { DashboardView, EventsView, viewResource } from './fields.ts'
import type { SavedView, SavedViewCreate, SavedViewPatch, SavedViewQuery } from './schema.ts'
import {
  deleteView,
  findView,
  insertView,
  listViewRows,
  listViewsOfPlace,
  updateView,
  type ViewPlace,
  type ViewRow,
} from './store.ts'

const MAX_NAME = 100
/** More than anyone finds in a menu. */
const MAX_OF_PLACE = 50

export async function listSavedViews(
  db: Db,
  { projectId }: Caller,
  { page, dashboard_id }: SavedViewQuery,
  range: PageRange,
): Promise<Slice<SavedView>> {
  const { count, results } = await listViewRows(db, projectId, { page, dashboard_id }, range)
  return { count, results: await toViews(db, results) }
}

export const getSavedView = async (db: Db, caller: Caller, id: string): Promise<SavedView> =>
  toView(db, await getViewRow(db, caller, id))

async function getViewRow(db: Db, { projectId }: Caller, id: string): Promise<ViewRow> {
  const row = await findView(db, projectId, requireId(id, 'Saved view'))
  if (!row) throw notFound('Saved view')
  return row
}

export function createSavedView(db: Db, caller: Caller, body: SavedViewCreate): Promise<SavedView> {
  const { projectId, userId } = caller
  const name = requireName('name', body.name, MAX_NAME)
  const place = { page: body.page, dashboard_id: body.dashboard_id ?? null }
  requireFilters(place, body.filters)
  return changeProject(db, projectId, async (tx) => {
    await requirePlace(tx, caller, place)
    await requireFreeName(tx, projectId, { ...place, name })
    const row = await insertView(tx, {
      ...viewResource.empty,
      ...viewResource.toColumns({ name, filters: body.filters }),
      ...place,
      project_id: projectId,
      created_by: userId,
      created_at: now(),
    })
    await log.logActivity(tx, caller, row, 'created')
    return toView(tx, row)
  })
}

export function patchSavedView(
  db: Db,
  caller: Caller,
  { id, body }: { readonly id: string; readonly body: SavedViewPatch },
): Promise<SavedView> {
  const { projectId } = caller
  const name = body.name === undefined ? undefined : requireName('name', body.name, MAX_NAME)
  return changeProject(db, projectId, async (tx) => {
    const before = await getViewRow(tx, caller, id)
    await requirePlace(tx, caller, before)
    if (body.filters) requireFilters(before, body.filters)
    if (name) await requireFreeName(tx, projectId, { ...before, name })
    const columns = viewResource.toColumns({ name, filters: body.filters })
    const after = await updateView(tx, before, columns)
    await log.logUpdate(tx, caller, { before, after }, log.listChanges(before, after))
    return toView(tx, after)
  })
}

export function removeSavedView(db: Db, caller: Caller, id: string): Promise<void> {
  return changeProject(db, caller.projectId, async (tx) => {
    const row = await getViewRow(tx, caller, id)
    await requirePlace(tx, caller, row)
    await deleteView(tx, row)
    await log.logActivity(tx, caller, row, 'removed')
  })
}

/** Requires that the dashboard of a view exists, and that the caller may edit it. */
async function requirePlace(
  tx: Tx,
  caller: Caller,
  { page, dashboard_id }: ViewPlace,
): Promise<void> {
  if (page === 'events') {
    if (dashboard_id === null) return
    throw invalid('dashboard_id', 'A view of events has no dashboard.')
  }
  if (dashboard_id === null) throw required('dashboard_id')
  const dashboard = await findDashboard(tx, caller, dashboard_id)
  if (!dashboard) throw doesNotExist('dashboard_id', dashboard_id)
  requireEdit(caller, dashboard)
}

const SCHEMAS = { events: EventsView, dashboard: DashboardView }

function requireFilters({ page }: Pick<ViewPlace, 'page'>, filters: object): void {
  getSchemaCheck(SCHEMAS[page])(filters, 'filters')
  requireUnderstood(SCHEMAS[page], filters, 'filters')
}

/** Views are chosen by name, so no two of a place have the same. */
async function requireFreeName(
  tx: Tx,
  projectId: number,
  { id = 0, name, ...place }: ViewPlace & { readonly id?: number; readonly name: string },
): Promise<void> {
  const others = (await listViewsOfPlace(tx, projectId, place)).filter((row) => row.id !== id)
  if (others.some((row) => row.name === name)) {
    throw invalid('name', 'There is a saved view with this name.')
  }
  if (others.length >= MAX_OF_PLACE) {
    throw conflict(`There are ${MAX_OF_PLACE} saved views. Delete one first.`)
  }
}

const log = defineLog<ViewRow>('SavedView', {
  toItem: (view) => view,
  toLogged: viewResource.toLogged,
})

async function toView(db: Db, row: ViewRow): Promise<SavedView> {
  return (await toViews(db, [row]))[0] as SavedView
}

async function toViews(db: Db, rows: readonly ViewRow[]): Promise<SavedView[]> {
  const users = await listUserTexts(
    db,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => viewResource.toItem(row, { users }))
}
