import type { Db } from '../../db/schema.ts'
import type { Slice, Window } from '../../db/window.ts'
import { notFound } from '../../errors.ts'
import { toUuid } from '../../http/ids.ts'
import { getConfigRow } from './pipeline-configs.ts'
import { findRun, listRuns } from './run-store.ts'
import type { Run } from './schema.ts'

export async function listRunsOf(
  db: Db,
  projectId: number,
  configId: number,
  window: Window,
): Promise<Slice<Run>> {
  await getConfigRow(db, projectId, configId)
  return listRuns(db, projectId, configId, window)
}

export async function getRun(
  db: Db,
  projectId: number,
  configId: number,
  runId: string,
): Promise<Run> {
  const id = toUuid(runId)
  const run = id && (await findRun(db, projectId, configId, id))
  if (!run) throw notFound()
  return run
}
