import type { Db } from '#server/db/schema.ts'
import { getOrganizationRow } from '#server/features/people/projects/projects.ts'
import { getPluginRow } from './plugins.ts'
import type { PluginUse } from './schema.ts'

/** In which projects of the organisation an app is used, and how often; what is in the trash does not count. */
export async function listPluginUses(db: Db, id: number): Promise<PluginUse[]> {
  await getPluginRow(db, id)
  const organization = await getOrganizationRow(db)
  const rows = await db
    .selectFrom('plugin_configs')
    .innerJoin('projects', 'projects.id', 'plugin_configs.project_id')
    .where('projects.organization_id', '=', organization.id)
    .where('plugin_configs.plugin_id', '=', id)
    .where('plugin_configs.deleted', '=', 0)
    .groupBy(['projects.id', 'projects.name'])
    .orderBy('projects.id')
    .select(['projects.id', 'projects.name'])
    .select((eb) => eb.fn.countAll().as('count'))
    .execute()
  return rows.map(({ id: project_id, name, count }) => ({
    project_id,
    project_name: name,
    configs: Number(count),
  }))
}
