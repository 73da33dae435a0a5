import { hotQuery } from './hot-query.ts'
import type { Db } from './schema.ts'

/** How the state a request depends on is recognised: whatever was read under equal stamps is equal. */
export interface Stamp {
  /** Of users, memberships, keys and projects. */
  readonly access: number
  /** undefined: no such project. */
  readonly project: number | undefined
  /** undefined: no such dashboard in the project. */
  readonly dashboard: number | undefined
}

export interface Stamps {
  read(projectId: number, dashboardId: number): Stamp | Promise<Stamp>
}

const findStamp = hotQuery((db: Db, projectId: number, ofProject: number, dashboardId: number) =>
  db
    .selectFrom('access_state')
    .leftJoin('projects', (join) => join.on('projects.id', '=', projectId))
    .leftJoin('dashboards', (join) =>
      join.on('dashboards.project_id', '=', ofProject).on('dashboards.id', '=', dashboardId),
    )
    .select([
      'access_state.version as access',
      'projects.version as project',
      'dashboards.version as dashboard',
    ]),
)

async function readStamp(db: Db, projectId: number, dashboardId: number): Promise<Stamp> {
  const [row] = await findStamp(db, projectId, projectId, dashboardId)
  if (!row) throw new Error('access_state is empty')
  return {
    access: row.access,
    project: row.project ?? undefined,
    dashboard: row.dashboard ?? undefined,
  }
}

/** Other servers write too, so every request asks: one indexed read. */
export const askedStamps = (db: Db): Stamps => ({
  read: (projectId, dashboardId) => readStamp(db, projectId, dashboardId),
})

const REMEMBERED = 10_000

/** With one server, stamps hold until a commit is noticed: asking SQLite each time would halve the speed of cached reads. */
export function rememberedStamps(db: Db, commits: () => number): Stamps {
  const stamps = new Map<string, Stamp>()
  let asOf = commits()
  return {
    read(projectId, dashboardId) {
      if (asOf !== commits() || stamps.size > REMEMBERED) stamps.clear()
      asOf = commits()
      const key = `${projectId}/${dashboardId}`
      return stamps.get(key) ?? readAndRemember(key, projectId, dashboardId)
    },
  }

  async function readAndRemember(key: string, projectId: number, dashboardId: number) {
    const before = commits()
    const stamp = await readStamp(db, projectId, dashboardId)
    if (before === commits()) stamps.set(key, stamp) // else it may be of before a commit
    return stamp
  }
}
