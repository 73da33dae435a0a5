import { sql } from 'kysely'
import type { PageRange } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { containsText } from '#server/db/search-key.ts'
import type { LinkRow } from '../link-store.ts'

export interface LinkFilter {
  /** A text in the name, description or tags of the dashboard or insight. */
  readonly search?: string | undefined
  readonly projectId?: number | undefined
}

/** Lists the links of all projects that are not turned off, the newest first. */
export async function listAllLinks(
  db: Db,
  { search, projectId }: LinkFilter,
  { limit, offset }: PageRange,
) {
  let found = db
    .selectFrom('share_links')
    .leftJoin('dashboards', 'dashboards.id', 'share_links.dashboard_id')
    .leftJoin('insights', 'insights.id', 'share_links.insight_id')
    .innerJoin('projects', 'projects.id', 'share_links.project_id')
    .where((eb) => eb(eb.fn.coalesce('dashboards.deleted', 'insights.deleted'), '=', 0))
    .where((eb) => eb.or([eb('is_first', '=', 0), eb('is_shared', '=', 1)]))
  if (projectId !== undefined) found = found.where('share_links.project_id', '=', projectId)
  if (search) {
    const text = sql`coalesce(dashboards.search_key, insights.search_key)`
    found = found.where(containsText(text, search))
  }
  const { count } = await found
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await found
    .selectAll('share_links')
    .select([
      'dashboards.name as dashboard_name',
      'dashboards.is_shared',
      'insights.name as insight_name',
      'insights.derived_name',
      'insights.short_id',
      'projects.name as project_name',
    ])
    .orderBy('share_links.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { count: Number(count), rows }
}

export type AnyLinkRow = Awaited<ReturnType<typeof listAllLinks>>['rows'][number]

/** Lists links by their IDs, those of one project together. */
export const listLinksById = (db: Db, ids: readonly number[]): Promise<LinkRow[]> =>
  db
    .selectFrom('share_links')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('project_id')
    .orderBy('id')
    .execute()
