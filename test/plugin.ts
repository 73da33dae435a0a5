import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { ConfigField, PublicJobs } from '#server/features/import-apps/plugins/schema.ts'

export interface TestPlugin {
  readonly config_schema?: readonly ConfigField[]
  readonly public_jobs?: PublicJobs
  readonly scheduled_tasks?: readonly string[]
  readonly version?: string
  /** Compiled. */
  readonly code?: string
}

/** Far from the ids of the apps that every installation has. */
export const PLUGIN = 1000

export const PLUGINS = '/api/organizations/@current/plugins'

/** The files of an app: what it says about itself, and its code. */
export const appOf = (code: string, manifest: object = {}, more: Record<string, string> = {}) => ({
  'plugin.json': JSON.stringify({ name: 'Test app', ...manifest }),
  'index.ts': code,
  ...more,
})

/** What installs it from source. */
export const sourceOf = (...app: Parameters<typeof appOf>) => ({
  plugin_type: 'source',
  files: appOf(...app),
})

/** Installs the app, or another version of it, that tests say just enough about. */
export async function installPlugin(db: Db, plugin: TestPlugin): Promise<number> {
  const columns = {
    name: 'Test app',
    version: plugin.version ?? '1.0.0',
    description: 'An app for tests.',
    config_schema: JSON.stringify(plugin.config_schema ?? []),
    public_jobs: JSON.stringify(plugin.public_jobs ?? {}),
    capabilities: JSON.stringify({ scheduled_tasks: plugin.scheduled_tasks ?? [] }),
    code: plugin.code ?? '',
    updated_at: now(),
  }
  // a change of access also outdates every cached answer, and answers show the plugin
  await changeAccess(db, (tx) =>
    tx
      .insertInto('plugins')
      .values({ id: PLUGIN, built_in: 0, plugin_type: 'source', created_at: now(), ...columns })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
      .execute(),
  )
  return PLUGIN
}
