import { EVERYONE_CAN_EDIT } from '#model/levels.ts'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { json, now } from '#server/db/values.ts'
import { insertLink } from '../sharing/store.ts'
import { requireTemplate } from '../templates/template-json.ts'
import { logCreated } from './create-dashboard.ts'
import { createTilesFromTemplate } from './fill-from-template.ts'
import type { DashboardRows } from './read-dashboard.ts'
import { insertDashboard } from './store.ts'

/** From a template that is sent whole. The dashboard does not count as made from one, as clients know it. */
export function createDashboardFromJson(
  db: Db,
  caller: Caller,
  sent: object,
): Promise<DashboardRows> {
  const template = requireTemplate(sent)
  return changeProject(db, caller.projectId, async (tx) => {
    const id = await insertDashboard(tx, {
      project_id: caller.projectId,
      name: template.name,
      description: template.description,
      pinned: 0,
      deleted: 0,
      creation_mode: 'default',
      use_template: '',
      use_dashboard: null,
      filters: json(template.filters),
      variables: '{}',
      tags: json(template.tags),
      restriction_level: EVERYONE_CAN_EDIT,
      created_by: caller.userId,
      created_at: now(),
    })
    await insertLink(tx, caller.projectId, id)
    await createTilesFromTemplate(tx, caller, id, template)
    return logCreated(tx, caller, id)
  })
}
