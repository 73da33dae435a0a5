import {
  CAN_EDIT,
  CAN_VIEW,
  EVERYONE_CAN_EDIT,
  type Level,
  ONLY_COLLABORATORS_CAN_EDIT,
} from '#model/levels.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Db } from '#server/db/schema.ts'
import { MAX_VALUES_PER_STATEMENT } from '#server/db/values.ts'
import { forbidden } from '#server/errors.ts'
import { canEdit, type DashboardAccess, type Member } from '../dashboards/rights.ts'

/** A tile that shows an insight, and what decides who may edit the dashboard it is on. */
export interface InsightPlacement extends DashboardAccess {
  readonly insight_id: number | null
  readonly tile_id: number
  readonly dashboard_id: number
  /** Of the dashboard. */
  readonly deleted: 0 | 1
}

/** Where insights are shown, dashboards in the trash included. */
export async function listPlacements(
  db: Db,
  { projectId, userId }: Caller,
  insightIds: readonly number[],
): Promise<InsightPlacement[]> {
  const places: InsightPlacement[] = []
  for (let at = 0; at < insightIds.length; at += MAX_VALUES_PER_STATEMENT) {
    const some = insightIds.slice(at, at + MAX_VALUES_PER_STATEMENT)
    places.push(...(await selectPlacements(db, projectId, userId, some)))
  }
  return places
}

const selectPlacements = (
  db: Db,
  projectId: number,
  userId: number,
  insightIds: readonly number[],
) =>
  db
    .selectFrom('tiles')
    .innerJoin('dashboards', 'dashboards.id', 'tiles.dashboard_id')
    .leftJoin('collaborators', (join) =>
      join
        .onRef('collaborators.dashboard_id', '=', 'dashboards.id')
        .on('collaborators.user_id', '=', userId),
    )
    .select(['tiles.insight_id', 'tiles.id as tile_id', 'tiles.dashboard_id'])
    .select(['dashboards.deleted', 'dashboards.created_by', 'dashboards.restriction_level'])
    .select('collaborators.level as collaborator_level')
    .where('tiles.project_id', '=', projectId)
    .where('tiles.insight_id', 'in', insightIds)
    .where('tiles.deleted', '=', 0)
    .orderBy('tiles.dashboard_id')
    .orderBy('tiles.id')
    .execute()

/** The dashboards that can be seen to show it, each once. */
export const toDashboardIds = (places: readonly InsightPlacement[]): number[] => [
  ...new Set(places.filter((place) => !place.deleted).map((place) => place.dashboard_id)),
]

/** As restricted as the most restricted dashboard that shows it. */
export const effectiveInsightRestriction = (places: readonly InsightPlacement[]): Level =>
  places.every((place) => place.restriction_level === EVERYONE_CAN_EDIT)
    ? EVERYONE_CAN_EDIT
    : ONLY_COLLABORATORS_CAN_EDIT

export const effectiveInsightPrivilege = (
  person: Member,
  places: readonly InsightPlacement[],
): Level => (places.every((place) => canEdit(person, place)) ? CAN_EDIT : CAN_VIEW)

/** Whatever a dashboard shows changes with the insight, so it must not be the way around the dashboard's rights. */
export function requireInsightEdit(person: Member, places: readonly InsightPlacement[]): void {
  if (effectiveInsightPrivilege(person, places) === CAN_EDIT) return
  throw forbidden("You don't have edit permissions for a dashboard that shows this insight.")
}
