import type { ChartMark } from '#model/chart.ts'
import { type ChartPlace, toMarks } from '#model/charts/annotation-marks.ts'
import type { Caller } from '#server/access/guard.ts'
import { grantsScope } from '#server/access/scopes.ts'
import type { Db } from '#server/db/schema.ts'
import { findProject } from '#server/features/accounts/projects/store.ts'
import { listChartAnnotations } from './store.ts'

/** More marks would hide the chart. */
const MAX_MARKS = 1000

/** Returns the marks of a project's charts. */
export type FindMarks = (place: ChartPlace) => ChartMark[]

export const NO_MARKS: FindMarks = () => []

/** Returns no marks if the caller's key cannot read annotations. */
export const findVisibleMarks = async (
  db: Db,
  { projectId, scopes }: Caller,
): Promise<FindMarks> =>
  grantsScope(scopes, 'annotation:read') ? findMarks(db, projectId) : NO_MARKS

/** `isPublic` leaves out annotations of other projects, which their members have not shared. */
export async function findMarks(db: Db, projectId: number, isPublic = false): Promise<FindMarks> {
  const options = { ownOnly: isPublic, limit: MAX_MARKS }
  const annotations = await listChartAnnotations(db, projectId, options)
  if (annotations.length === 0) return NO_MARKS
  const project = await findProject(db, projectId)
  return (place) => toMarks(annotations, place, project?.timezone ?? 'UTC')
}
