import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, json, laterThan, now } from '#server/db/values.ts'
import { doesNotExist, forbidden, notFound, required } from '#server/errors.ts'
import { listUsersById } from '#server/features/accounts/users/store.ts'
import { changesBetween, insertActivity } from '#server/features/activity/store.ts'
import { requireId } from '#server/http/ids.ts'
import { requireTime } from '#server/http/times.ts'
import { findDashboard } from '../dashboards/store.ts'
import { findInsight } from '../insights/store.ts'
import { toTags } from '../tag-store.ts'
import type { Annotation, AnnotationQuery, AnnotationWrite } from './schema.ts'
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
  { projectId }: Caller,
  { dashboard_id, dashboard_item, after, before, ...query }: Omit<AnnotationQuery, keyof PageRange>,
  range: PageRange,
): Promise<Slice<Annotation>> {
  const filters = {
    ...query,
    dashboardId: dashboard_id,
    insightId: dashboard_item,
    after: requireTime('after', after),
    before: requireTime('before', before),
  }
  const { count, results } = await listAnnotationRows(db, projectId, filters, range)
  return { count, results: await toAnnotations(db, results) }
}

/** Gets an annotation, even from the trash. */
export async function getAnnotationRow(
  db: Db,
  { projectId }: Caller,
  id: string,
): Promise<AnnotationRow> {
  const row = await findAnnotation(db, projectId, requireId(id))
  if (!row) throw notFound()
  return row
}

export const getAnnotation = async (db: Db, caller: Caller, id: string): Promise<Annotation> =>
  toAnnotation(db, await getAnnotationRow(db, caller, id))

export function createAnnotation(
  db: Db,
  caller: Writer,
  body: AnnotationWrite,
): Promise<Annotation> {
  return changeProject(db, caller.projectId, async (tx) => {
    const at = now()
    const target = await requireTarget(tx, caller, {
      scope: body.scope ?? toScope(body),
      dashboard_id: body.dashboard_id ?? null,
      insight_id: body.dashboard_item ?? null,
    })
    const id = await insertAnnotation(tx, {
      ...target,
      project_id: caller.projectId,
      content: body.content ?? '',
      date_marker: requireTime('date_marker', body.date_marker ?? undefined) ?? at,
      creation_type: body.creation_type ?? 'USR',
      tags: json(toTags(body.tags ?? [])),
      deleted: flag(body.deleted ?? false),
      created_by: caller.userId,
      created_at: at,
      updated_at: at,
    })
    const row = await getAnnotationRow(tx, caller, String(id))
    await log(tx, caller, row, 'created')
    return toAnnotation(tx, row)
  })
}

export function patchAnnotation(
  db: Db,
  caller: Writer,
  { id, body }: { readonly id: string; readonly body: AnnotationWrite },
): Promise<Annotation> {
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getAnnotationRow(tx, caller, id)
    if (before.project_id !== caller.projectId) {
      throw forbidden('This annotation belongs to another project. Change it there.')
    }
    const target = await requireTarget(tx, caller, toTarget(before, body))
    await updateAnnotation(tx, before, {
      ...target,
      ...(body.content !== undefined && { content: body.content ?? '' }),
      ...(body.date_marker !== undefined && {
        date_marker: requireTime('date_marker', body.date_marker ?? undefined) ?? before.created_at,
      }),
      ...(body.creation_type && { creation_type: body.creation_type }),
      ...(body.tags && { tags: json(toTags(body.tags)) }),
      ...(body.deleted !== undefined && { deleted: flag(body.deleted) }),
      updated_at: laterThan(before.updated_at),
    })
    const after = await getAnnotationRow(tx, caller, id)
    await logChanges(tx, caller, before, after)
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

async function logChanges(
  tx: Tx,
  caller: Caller,
  before: AnnotationRow,
  after: AnnotationRow,
): Promise<void> {
  const changes = changesBetween('Annotation', toLogged(before), toLogged(after))
  if (changes.length > 0) await log(tx, caller, after, 'updated', changes)
  if (before.deleted !== after.deleted) {
    await log(tx, caller, after, after.deleted ? 'deleted' : 'restored')
  }
}

const toLogged = (row: AnnotationRow): Record<string, unknown> => ({
  content: row.content,
  date_marker: row.date_marker,
  scope: row.scope,
  dashboard_id: row.dashboard_id,
  dashboard_item: row.insight_id,
  tags: JSON.parse(row.tags),
})

/** Long enough to recognize an annotation in the log. */
const MAX_LOGGED_NAME = 200

const log = (
  tx: Tx,
  caller: Caller,
  { id, content }: AnnotationRow,
  activity: string,
  changes: ReturnType<typeof changesBetween> = [],
): Promise<void> => {
  const { projectId, userId } = caller
  const name = content.slice(0, MAX_LOGGED_NAME)
  return insertActivity(tx, {
    ...{ projectId, userId, scope: 'Annotation', itemId: id },
    ...{ activity, name, changes },
  })
}

async function toAnnotation(db: Db, row: AnnotationRow): Promise<Annotation> {
  const [annotation] = await toAnnotations(db, [row])
  return annotation as Annotation
}

async function toAnnotations(db: Db, rows: readonly AnnotationRow[]): Promise<Annotation[]> {
  const creators = rows.map((row) => row.created_by)
  const users = await listUsersById(db, creators)
  return rows.map((row) => ({
    id: row.id,
    content: row.content,
    date_marker: row.date_marker,
    creation_type: row.creation_type,
    dashboard_item: row.insight_id,
    dashboard_id: row.dashboard_id,
    dashboard_name: row.dashboard_name,
    insight_short_id: row.insight_short_id,
    insight_name: row.insight_name,
    insight_derived_name: row.insight_derived_name,
    created_by: users.get(row.created_by ?? 0) ?? null,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted: row.deleted === 1,
    scope: row.scope,
    tags: JSON.parse(row.tags),
  }))
}
