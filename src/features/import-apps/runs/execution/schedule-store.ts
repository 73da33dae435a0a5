import type { Db } from '#server/db/schema.ts'

export interface SchedulableConfig {
  readonly id: number
  readonly project_id: number
  readonly scheduledTasks: readonly string[]
}

/** Lists the enabled configs of all projects with the scheduled tasks of their apps. */
export async function listSchedulableConfigs(db: Db): Promise<SchedulableConfig[]> {
  const rows = await db
    .selectFrom('plugin_configs as config')
    .innerJoin('plugins as plugin', 'plugin.id', 'config.plugin_id')
    .select(['config.id', 'config.project_id', 'plugin.capabilities'])
    .where('config.enabled', '=', 1)
    .where('config.deleted', '=', 0)
    .execute()
  return rows.map(({ id, project_id, capabilities }) => {
    const { scheduled_tasks: scheduledTasks = [] } = JSON.parse(capabilities)
    return { id, project_id, scheduledTasks }
  })
}

export function listUnfinishedScheduledRuns(db: Db) {
  return db
    .selectFrom('runs')
    .select(['config_id', 'name'])
    .where('kind', '=', 'schedule')
    .where('state', 'in', ['queued', 'running'])
    .execute()
}
