import type { Db } from '#server/db/schema.ts'
import { type FindMarks, findMarks, NO_MARKS } from '../annotations/marks.ts'
import type { LinkRow } from '../link-store.ts'

/** Finds the annotations that charts show to visitors of a link. */
export const findLinkMarks = async (
  db: Db,
  { project_id, shows_annotations }: LinkRow,
): Promise<FindMarks> => (shows_annotations ? findMarks(db, project_id, true) : NO_MARKS)
