import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { getConfigWithSettings } from '#server/features/import-apps/configs/configs.ts'
import type { ConfigDeps, ConfigWithSettings } from '#server/features/import-apps/configs/store.ts'
import { readManifests } from '#server/features/import-apps/plugins/built-in.ts'
import { createFromTemplate } from '../dashboards/dashboards.ts'
import { findDashboardOfTemplate } from '../dashboards/store.ts'
import { findBuiltIn } from '../templates/built-in/built-in.ts'
import type { Template } from '../templates/template.ts'
import { fillEvent } from './fill-event.ts'
import type { ImportDashboard } from './schema.ts'

/** The setting of apps whose events people name. */
const EVENT = 'event'

interface Known {
  /** The name of the template, by which dashboards are found. */
  readonly name: string
  readonly template: Template
}

/** Finds the dashboard for what an import imports. */
export async function getImportDashboard(
  deps: ConfigDeps,
  { projectId }: Caller,
  id: number,
): Promise<ImportDashboard> {
  const known = await findKnown(await getConfigWithSettings(deps, projectId, id))
  return toImportDashboard(known, known && (await find(deps.db, projectId, known)))
}

/** Creates the dashboard of an import, unless the project has it. */
export async function openImportDashboard(
  deps: ConfigDeps,
  caller: Caller,
  id: number,
): Promise<{ readonly isNew: boolean; readonly dashboard: ImportDashboard }> {
  const { projectId } = caller
  const known = await findKnown(await getConfigWithSettings(deps, projectId, id))
  if (!known) throw invalid(null, 'This import app has no dashboard template.')
  return changeProject(deps.db, projectId, async (tx) => {
    const found = await find(tx, projectId, known)
    const made = found ?? (await createFromTemplate(tx, caller, known.template, known.name)).row.id
    return { isNew: found === undefined, dashboard: toImportDashboard(known, made) }
  })
}

const find = (db: Db, projectId: number, { name, template }: Known) =>
  findDashboardOfTemplate(db, projectId, {
    template: name,
    // a template that was filled in is that of one event, by its name
    ...(template.name !== name && { name: template.name }),
  })

const toImportDashboard = (
  known: Known | undefined,
  dashboard: number | undefined,
): ImportDashboard => ({ template: known?.name ?? null, dashboard: dashboard ?? null })

/** Fills in the event that the settings name instead of the usual one. */
async function findKnown({ plugin_id, settings }: ConfigWithSettings): Promise<Known | undefined> {
  const manifest = (await readManifests()).get(plugin_id)
  const template = manifest?.template === undefined ? undefined : findBuiltIn(manifest.template)
  if (!manifest || !template) return undefined
  const usual = manifest.config.find(({ key }) => key === EVENT)?.default
  const named = settings[EVENT]
  const isNamed = typeof usual === 'string' && typeof named === 'string' && named.trim() !== ''
  return {
    name: template.name,
    template: isNamed ? fillEvent(template, usual, named.trim()) : template,
  }
}
