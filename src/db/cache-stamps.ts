import { createSharedReads } from '../concurrency.ts'
import { compileOnce } from './compile-once.ts'
import type { SqliteConnection } from './connect-sqlite.ts'
import type { Db } from './schema.ts'

/** The versions that a response depends on. Responses with equal stamps are equal, so they can be cached. */
export interface CacheStamp {
  /** The version of users, memberships, keys and projects. */
  readonly access: number
  /** undefined if the project does not exist. */
  readonly project: number | undefined
  /** undefined if the dashboard does not exist in the project. */
  readonly dashboard: number | undefined
}

export interface CacheStamps {
  read(projectId: number, dashboardId: number): CacheStamp | Promise<CacheStamp>
}

const findStamp = compileOnce(
  (db: Db, projectId: number, dashboardProjectId: number, dashboardId: number) =>
    db
      .selectFrom('access_state')
      .leftJoin('projects', (join) => join.on('projects.id', '=', projectId))
      .leftJoin('dashboards', (join) =>
        join
          .on('dashboards.project_id', '=', dashboardProjectId)
          .on('dashboards.id', '=', dashboardId),
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

/**
 * Reads the stamp for every request, because other servers write too. This is one indexed read, which equal requests
 * share: 500 capture requests at once took 1.0 s to begin with a read each, and 0.7 s with shared ones.
 */
export function uncachedStamps(db: Db): CacheStamps {
  const share = createSharedReads<CacheStamp>()
  return {
    read: (projectId, dashboardId) =>
      share(`${projectId}/${dashboardId}`, () => readStamp(db, projectId, dashboardId)),
  }
}

const MAX_CACHED_VERSIONS = 10_000

/**
 * Caches versions until a commit changes them, which works only with a single server. Reading them each time would halve
 * the speed of cached reads; clearing all at every commit would halve the speed of reads during writes.
 */
export function cachedStamps({
  db,
  commitCount,
  onVersionsChanged,
}: SqliteConnection): CacheStamps {
  const versions = new Map<string, number | undefined>()
  /** Combined from the versions. A stamp that is read again is the same object, which tells that nothing has changed. */
  const stamps = new Map<string, CacheStamp>()
  let isWatching = false
  return {
    read(projectId, dashboardId) {
      const key = `${projectId}/${dashboardId}`
      return stamps.get(key) ?? combine(key, projectId, dashboardId)
    },
  }

  function combine(
    key: string,
    projectId: number,
    dashboardId: number,
  ): CacheStamp | Promise<CacheStamp> {
    const project = `project ${projectId}`
    const dashboard = `dashboard ${key}`
    const access = versions.get('access')
    if (access === undefined || !versions.has(project) || !versions.has(dashboard)) {
      return readAndCache(projectId, project, dashboardId, dashboard)
    }
    const stamp = {
      access,
      project: versions.get(project),
      dashboard: versions.get(dashboard),
    }
    stamps.set(key, stamp)
    return stamp
  }

  async function readAndCache(
    projectId: number,
    project: string,
    dashboardId: number,
    dashboard: string,
  ): Promise<CacheStamp> {
    if (!isWatching) watch()
    const before = commitCount()
    const stamp = await readStamp(db, projectId, dashboardId)
    if (versions.size > MAX_CACHED_VERSIONS) {
      versions.clear()
      stamps.clear()
    }
    // a commit in between may have changed them after they were read
    if (before === commitCount()) {
      versions.set('access', stamp.access)
      versions.set(project, stamp.project)
      versions.set(dashboard, stamp.dashboard)
    }
    return stamp
  }

  function watch(): void {
    isWatching = true
    onVersionsChanged((changed) => {
      stamps.clear()
      if (!changed) versions.clear()
      for (const key of changed ?? []) versions.delete(key)
    })
  }
}
