import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { laterThan, now } from '#server/db/values.ts'
import { doesNotExist, forbidden, notFound, required } from '#server/errors.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { defineLog } from '#server/features/activity/log.ts'
import { requireId } from '#server/http/ids.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { requireTime } from '#server/http/times.ts'
import { moveLast } from '#server/resource/resource.ts'
import { findDashboard } from '../dashboards/store.ts'
import { findInsight } from '../insight-rows/store.ts'
import { isHidden, requireTrashSeen } from '../rights.ts'
import { annotationResource } from './fields.ts'
import type { AnnotationQuery, AnnotationWrite } from './schema.ts'
import {
  type AnnotationRow,
  findAnnotation,
  insertAnnotation,
  listAnnotationRows,
  updateAnnotation,
} from './store.ts'

/** Whether the caller can mark the charts of all projects. */
interface Writer extends Caller {
  readonly canMarkOrganization: boolean
}

export async function listAnnotations(
  db: Db,
  caller: Caller,
  { dashboard_id, dashboard_item, after, before, ...query }: Omit<AnnotationQuery, keyof PageRange>,
  range: PageRange,
): Promise<Slice<JsonText>> {
  requireTrashSeen(caller, query.deleted)
  const filters = {
    ...query,
    dashboardId: dashboard_id,
    insightId: dashboard_item,
    after: requireTime('after', after),
    before: requireTime('before', before),
  }
  const { count, results } = await listAnnotationRows(db, caller.projectId, filters, range)
  return { count, results: await toAnnotations(db, results) }
}

/** Gets an annotation, even from the trash. */
export async function getAnnotationRow(db: Db, caller: Caller, id: string): Promise<AnnotationRow> {
  const row = await findAnnotation(db, caller.projectId, requireId(id))
  if (!row || isHidden(caller, row)) throw notFound()
  return row
}

export const getAnnotation = async (db: Db, caller: Caller, id: string): Promise<JsonText> =>
  toAnnotation(db, await getAnnotationRow(db, caller, id))

export function createAnnotation(db: Db, caller: Writer, body: AnnotationWrite): Promise<JsonText> {
  return changeProject(db, caller.projectId, async (tx) => {
    const at = now()
    const target = await requireTarget(tx, caller, {
      scope: body.scope ?? toScope(body),
      dashboard_id: body.dashboard_id ?? null,
      insight_id: body.dashboard_item ?? null,
    })
    const id = await insertAnnotation(tx, {
      ...annotationResource.empty,
      ...annotationResource.toColumns(body),
      ...target,
      date_marker: requireTime('date_marker', body.date_marker ?? undefined) ?? at,
      project_id: caller.projectId,
      created_by: caller.userId,
      created_at: at,
      updated_at: at,
    })
    const row = await getAnnotationRow(tx, caller, String(id))
    await log.logActivity(tx, caller, row, 'created')
    return toAnnotation(tx, row)
  })
}

export function patchAnnotation(
  db: Db,
  caller: Writer,
  { id, body }: { readonly id: string; readonly body: AnnotationWrite },
): Promise<JsonText> {
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getAnnotationRow(tx, caller, id)
    if (before.project_id !== caller.projectId) {
      throw forbidden('This annotation belongs to another project. Change it there.')
    }
    const target = await requireTarget(tx, caller, toTarget(before, body))
    await updateAnnotation(tx, before, {
      ...annotationResource.toColumns(body),
      ...target,
      date_marker:
        body.date_marker === null
          ? before.created_at
          : requireTime('date_marker', body.date_marker),
      updated_at: laterThan(before.updated_at),
    })
    const after = await getAnnotationRow(tx, caller, id)
    const changes = log.listChanges(before, after)
    await log.logUpdate(tx, caller, { before, after }, changes)
    return toAnnotation(tx, after)
  })
}

type Target = Pick<AnnotationRow, 'scope' | 'dashboard_id' | 'insight_id'>

const toScope = ({ dashboard_item, dashboard_id }: AnnotationWrite): Target['scope'] => {
  if (dashboard_item) return 'dashboard_item'
  return dashboard_id ? 'dashboard' : 'project'
}

const toTarget = (before: Target, body: AnnotationWrite): Target => ({
  scope: body.scope ?? before.scope,
  dashboard_id: body.dashboard_id === undefined ? before.dashboard_id : body.dashboard_id,
  insight_id: body.dashboard_item === undefined ? before.insight_id : body.dashboard_item,
})

/** Requires that the dashboard and insight exist in the project, and that the scope has the one it needs. */
async function requireTarget(tx: Tx, caller: Writer, target: Target): Promise<Target> {
  const { scope, dashboard_id, insight_id } = target
  if (scope === 'organization' && !caller.canMarkOrganization) {
    throw forbidden('Only admins whose key is not limited to projects can mark all projects.')
  }
  if (dashboard_id !== null && !(await findDashboard(tx, caller, dashboard_id))) {
    throw doesNotExist('dashboard_id', dashboard_id)
  }
  if (insight_id !== null && !(await findInsight(tx, caller.projectId, insight_id))) {
    throw doesNotExist('dashboard_item', insight_id)
  }
  if (scope === 'dashboard' && dashboard_id === null) throw required('dashboard_id')
  if (scope === 'dashboard_item' && insight_id === null) throw required('dashboard_item')
  return target
}

/** Long enough to recognize an annotation in the log. */
const MAX_LOGGED_NAME = 200

const log = defineLog<AnnotationRow>('Annotation', {
  toItem: ({ id, content }) => ({ id, name: content.slice(0, MAX_LOGGED_NAME) }),
  toLogged: (row) =>
    moveLast(annotationResource.toLogged(row), 'scope', 'dashboard_id', 'dashboard_item', 'tags'),
})

async function toAnnotation(db: Db, row: AnnotationRow): Promise<JsonText> {
  const [annotation] = await toAnnotations(db, [row])
  return annotation as JsonText
}

async function toAnnotations(db: Db, rows: readonly AnnotationRow[]): Promise<JsonText[]> {
  const creators = rows.map((row) => row.created_by)
  const users = await listUserTexts(db, creators)
  return rows.map((row) => annotationResource.toText(row, { users }))
}
