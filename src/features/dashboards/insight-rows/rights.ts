import {
  CAN_EDIT,
  CAN_VIEW,
  EVERYONE_CAN_EDIT,
  type Level,
  ONLY_COLLABORATORS_CAN_EDIT,
} from '#model/levels.ts'
import { forbidden } from '#server/errors.ts'
import { canEdit, type DashboardAccess, type MemberLevel } from '../rights.ts'

/** A tile that shows an insight, and the columns that decide who can edit its dashboard. */
export interface InsightPlacement extends DashboardAccess {
  readonly insight_id: number | null
  readonly tile_id: number
  readonly dashboard_id: number
  /** Whether the dashboard is in the trash. */
  readonly deleted: 0 | 1
}

/** Lists the live dashboards that show an insight, each once. */
export const toDashboardIds = (placements: readonly InsightPlacement[]): number[] => [
  ...new Set(
    placements.filter((placement) => !placement.deleted).map(({ dashboard_id }) => dashboard_id),
  ),
]

/** An insight is as restricted as the most restricted dashboard that shows it. */
export const effectiveInsightRestriction = (placements: readonly InsightPlacement[]): Level =>
  placements.every(({ restriction_level }) => restriction_level === EVERYONE_CAN_EDIT)
    ? EVERYONE_CAN_EDIT
    : ONLY_COLLABORATORS_CAN_EDIT

export const effectiveInsightPrivilege = (
  member: MemberLevel,
  placements: readonly InsightPlacement[],
): Level =>
  !member.isViewer && placements.every((placement) => canEdit(member, placement))
    ? CAN_EDIT
    : CAN_VIEW

/** Editing an insight changes every dashboard that shows it, so the member must be able to edit all of them. */
export function requireInsightEdit(
  member: MemberLevel,
  placements: readonly InsightPlacement[],
): void {
  if (effectiveInsightPrivilege(member, placements) === CAN_EDIT) return
  throw forbidden("You don't have edit permissions for a dashboard that shows this insight.")
}
