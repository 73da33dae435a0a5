import { EVERYONE_CAN_EDIT } from '#model/levels.ts'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, json, now } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'
import { insertLink } from '../sharing/store.ts'
import { toTags } from '../tags.ts'
import { findTemplate } from '../templates/find-template.ts'
import type { Template } from '../templates/template.ts'
import { createTiles } from '../tiles/apply-tiles.ts'
import { copyTiles } from '../tiles/copy-tiles.ts'
import { logDashboard } from './activity.ts'
import { createTilesFromTemplate } from './fill-from-template.ts'
import { type DashboardRows, getDashboardRows } from './read-dashboard.ts'
import type { DashboardWrite } from './schema.ts'
import { type DashboardRow, findDashboard, insertDashboard } from './store.ts'

export function createDashboard(
  db: Db,
  caller: Caller,
  body: DashboardWrite,
): Promise<DashboardRows> {
  requireOneOrigin(body)
  return changeProject(db, caller.projectId, async (tx) => {
    const template = body.use_template
      ? await getTemplate(tx, caller, body.use_template)
      : undefined
    const source = body.use_dashboard ? await getSource(tx, caller, body.use_dashboard) : undefined
    const id = await insert(tx, caller, body, template, source)
    await insertLink(tx, caller.projectId, id)
    if (template) await createTilesFromTemplate(tx, caller, id, template)
    if (source) {
      await copyTiles(tx, caller, source.id, id, { deep: body.duplicate_tiles ?? false })
    }
    if (body.tiles) await createTiles(tx, caller, id, body.tiles)
    return logCreated(tx, caller, id)
  })
}

export async function logCreated(tx: Tx, caller: Caller, id: number): Promise<DashboardRows> {
  const made = await getDashboardRows(tx, caller, id)
  await logDashboard(tx, caller, made.row, 'created')
  return made
}

export function requireOneOrigin({ use_template, use_dashboard }: DashboardWrite): void {
  if (use_template && use_dashboard) {
    throw invalid(null, '`use_dashboard` and `use_template` cannot be used together')
  }
}

async function getTemplate(tx: Tx, { projectId }: Caller, name: string): Promise<Template> {
  const template = await findTemplate(tx, projectId, name)
  if (!template) throw invalid('use_template', `Invalid template provided: ${name.slice(0, 400)}`)
  return template
}

async function getSource(tx: Tx, caller: Caller, id: number): Promise<DashboardRow> {
  const source = await findDashboard(tx, caller, id)
  if (!source || source.deleted) throw invalid('use_dashboard', 'Invalid value provided')
  return source
}

/** What the caller says wins over what the template or the source says. */
function insert(
  tx: Tx,
  caller: Caller,
  body: DashboardWrite,
  template: Template | undefined,
  source: DashboardRow | undefined,
): Promise<number> {
  return insertDashboard(tx, {
    project_id: caller.projectId,
    name: body.name || template?.name || '',
    description: body.description ?? template?.description ?? '',
    pinned: flag(body.pinned ?? false),
    deleted: flag(body.deleted ?? false),
    creation_mode: template ? 'template' : source ? 'duplicate' : 'default',
    use_template: body.use_template ?? '',
    use_dashboard: body.use_dashboard || null,
    filters: body.filters ? json(body.filters) : (source?.filters ?? json(template?.filters ?? {})),
    variables: body.variables ? json(body.variables) : (source?.variables ?? '{}'),
    tags: json(body.tags ? toTags(body.tags) : (template?.tags ?? [])),
    restriction_level: body.restriction_level ?? EVERYONE_CAN_EDIT,
    created_by: caller.userId,
    created_at: now(),
  })
}
