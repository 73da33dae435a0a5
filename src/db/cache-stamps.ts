import { compileOnce } from './compile-once.ts'
import type { SqliteConnection } from './connect-sqlite.ts'
import type { Db } from './schema.ts'

/** How the state a request depends on is recognised: whatever was read under equal stamps is equal. */
export interface CacheStamp {
  /** Of users, memberships, keys and projects. */
  readonly access: number
  /** undefined: no such project. */
  readonly project: number | undefined
  /** undefined: no such dashboard in the project. */
  readonly dashboard: number | undefined
}

export interface CacheStamps {
  read(projectId: number, dashboardId: number): CacheStamp | Promise<CacheStamp>
}

const findStamp = compileOnce((db: Db, projectId: number, ofProject: number, dashboardId: number) =>
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

async function readStamp(db: Db, projectId: number, dashboardId: number): Promise<CacheStamp> {
  const [row] = await findStamp(db, projectId, projectId, dashboardId)
  if (!row) throw new Error('access_state is empty')
  return {
    access: row.access,
    project: row.project ?? undefined,
    dashboard: row.dashboard ?? undefined,
  }
}

/** Other servers write too, so every request asks: one indexed read. */
export const uncachedStamps = (db: Db): CacheStamps => ({
  read: (projectId, dashboardId) => readStamp(db, projectId, dashboardId),
})

const REMEMBERED = 10_000

/**
 * With one server, versions hold until a commit that moved them: asking SQLite each time would halve the speed of
 * cached reads, and forgetting all at every commit that of reads beside writes.
 */
export function cachedStamps({
  db,
  commitCount,
  onVersionsChanged,
}: SqliteConnection): CacheStamps {
  const versions = new Map<string, number | undefined>()
  let watching = false
  return {
    read(projectId, dashboardId) {
      const project = `project ${projectId}`
      const dashboard = `dashboard ${projectId}/${dashboardId}`
      const access = versions.get('access')
      if (access === undefined || !versions.has(project) || !versions.has(dashboard)) {
        return readAndRemember(projectId, project, dashboardId, dashboard)
      }
      return { access, project: versions.get(project), dashboard: versions.get(dashboard) }
    },
  }

  async function readAndRemember(
    projectId: number,
    project: string,
    dashboardId: number,
    dashboard: string,
  ): Promise<CacheStamp> {
    if (!watching) watch()
    const before = commitCount()
    const stamp = await readStamp(db, projectId, dashboardId)
    if (versions.size > REMEMBERED) versions.clear()
    // a commit in between may have moved them after they were read
    if (before === commitCount()) {
      versions.set('access', stamp.access)
      versions.set(project, stamp.project)
      versions.set(dashboard, stamp.dashboard)
    }
    return stamp
  }

  function watch(): void {
    watching = true
    onVersionsChanged((moved) => {
      if (!moved) versions.clear()
      for (const key of moved ?? []) versions.delete(key)
    })
  }
}
