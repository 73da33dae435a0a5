import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { containsText, toSearchKey } from '#server/db/search-key.ts'
import { flag } from '#server/db/values.ts'

type Columns = Selectable<Schema['annotations']>

/** An annotation with the names of its dashboard and insight. */
export type AnnotationRow = Columns & {
  readonly dashboard_name: string | null
  readonly insight_short_id: string | null
  readonly insight_name: string | null
  readonly insight_derived_name: string | null
}

export interface AnnotationFilters {
  readonly search?: string | undefined
  readonly scope?: Columns['scope'] | undefined
  readonly dashboardId?: number | undefined
  readonly insightId?: number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly deleted?: boolean | undefined
}

/** Selects the annotations that a project shows: its own, and those of the whole organization. */
const selectVisible = (db: Db, projectId: number) =>
  db
    .selectFrom('annotations')
    .leftJoin('dashboards', 'dashboards.id', 'annotations.dashboard_id')
    .leftJoin('insights', 'insights.id', 'annotations.insight_id')
    .where((eb) =>
      eb.or([
        eb('annotations.project_id', '=', projectId),
        eb('annotations.scope', '=', 'organization'),
      ]),
    )

type Visible = ReturnType<typeof selectVisible>

const withNames = (annotations: Visible) =>
  annotations
    .selectAll('annotations')
    .select(['dashboards.name as dashboard_name', 'insights.short_id as insight_short_id'])
    .select(['insights.name as insight_name', 'insights.derived_name as insight_derived_name'])

/** Hides the dashboard and the insight of another project: who sees the annotation may not see them. */
const hideForeignPlace = (row: AnnotationRow, projectId: number): AnnotationRow =>
  row.project_id === projectId ? row : { ...row, ...NO_PLACE }

const NO_PLACE = {
  dashboard_id: null,
  dashboard_name: null,
  insight_id: null,
  insight_short_id: null,
  insight_name: null,
  insight_derived_name: null,
}

/** Lists annotations, the latest moment first. */
export async function listAnnotationRows(
  db: Db,
  projectId: number,
  filters: AnnotationFilters,
  { limit, offset }: PageRange,
): Promise<Slice<AnnotationRow>> {
  const matches = applyFilters(selectVisible(db, projectId), filters)
  const rows = await withNames(matches)
    .orderBy('annotations.date_marker', 'desc')
    .orderBy('annotations.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const results = rows.map((row) => hideForeignPlace(row, projectId))
  return { count: await countRows(matches), results }
}

function applyFilters(annotations: Visible, filters: AnnotationFilters): Visible {
  const { search = '', scope, dashboardId, insightId, after, before, deleted = false } = filters
  return annotations
    .where('annotations.deleted', '=', flag(deleted))
    .where(containsText(sql.ref('annotations.search_key'), search))
    .$if(scope !== undefined, (found) => found.where('annotations.scope', '=', scope as never))
    .$if(after !== undefined, (found) => found.where('annotations.date_marker', '>=', `${after}`))
    .$if(before !== undefined, (found) => found.where('annotations.date_marker', '<', `${before}`))
    .$if(dashboardId !== undefined, (found) =>
      found.where((eb) =>
        eb.or([
          eb('annotations.scope', '!=', 'dashboard'),
          eb('annotations.dashboard_id', '=', dashboardId as number),
        ]),
      ),
    )
    .$if(insightId !== undefined, (found) =>
      found.where((eb) =>
        eb.or([
          eb('annotations.scope', '!=', 'dashboard_item'),
          eb('annotations.insight_id', '=', insightId as number),
        ]),
      ),
    )
}

/** Lists the latest annotations for charts, without the names of dashboards and insights. */
export const listChartAnnotations = (
  db: Db,
  projectId: number,
  { ownOnly, limit }: { readonly ownOnly: boolean; readonly limit: number },
) =>
  db
    .selectFrom('annotations')
    .select(['content', 'date_marker', 'scope', 'dashboard_id', 'insight_id as dashboard_item'])
    .where('deleted', '=', 0)
    .where((eb) =>
      eb.or([
        eb('project_id', '=', projectId),
        ...(ownOnly ? [] : [eb('scope', '=', 'organization')]),
      ]),
    )
    .orderBy('date_marker', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Finds an annotation that the project shows, even in the trash. */
export async function findAnnotation(
  db: Db,
  projectId: number,
  id: number,
): Promise<AnnotationRow | undefined> {
  const matches = withNames(selectVisible(db, projectId)).where('annotations.id', '=', id)
  const row = await matches.executeTakeFirst()
  return row && hideForeignPlace(row, projectId)
}

export async function insertAnnotation(
  tx: Tx,
  row: Omit<Insertable<Schema['annotations']>, 'search_key'>,
): Promise<number> {
  const { id } = await tx
    .insertInto('annotations')
    .values({ ...row, search_key: toKey(row) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const updateAnnotation = (
  tx: Tx,
  before: AnnotationRow,
  columns: Updateable<Schema['annotations']>,
) => {
  const { content = before.content, tags = before.tags } = columns
  return tx
    .updateTable('annotations')
    .set({ ...columns, search_key: toKey({ content, tags }) })
    .where('project_id', '=', before.project_id)
    .where('id', '=', before.id)
    .execute()
}

const toKey = ({ content, tags }: { readonly content: string; readonly tags: string }): string =>
  toSearchKey({ name: content, description: '', tags })
