import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { ConfigField, PublicJobs } from '#server/features/import-apps/plugins/schema.ts'

export interface TestPlugin {
  readonly config_schema?: readonly ConfigField[]
  readonly public_jobs?: PublicJobs
  readonly scheduled_tasks?: readonly string[]
  readonly methods?: readonly string[]
  readonly version?: string
  /** The compiled code. */
  readonly code?: string
}

/** Far above the IDs of the built-in apps. */
let lastId = 1000

export const PLUGINS = '/api/organizations/@current/plugins'

/** Returns the files of an app: its manifest and its code. */
export const appOf = (code: string, manifest: object = {}, more: Record<string, string> = {}) => ({
  'plugin.json': JSON.stringify({ name: 'Test app', ...manifest }),
  'index.ts': code,
  ...more,
})

/** Returns the body that installs the app from source. */
export const sourceOf = (...app: Parameters<typeof appOf>) => ({
  plugin_type: 'source',
  files: appOf(...app),
})

/** Installs an app or a new version of it, with defaults for omitted fields. Returns its ID. */
export async function installPlugin(db: Db, plugin: TestPlugin, id = ++lastId): Promise<number> {
  const columns = {
    name: 'Test app',
    version: plugin.version ?? '1.0.0',
    description: 'An app for tests.',
    config_schema: JSON.stringify(plugin.config_schema ?? []),
    public_jobs: JSON.stringify(plugin.public_jobs ?? {}),
    capabilities: JSON.stringify({
      scheduled_tasks: plugin.scheduled_tasks ?? [],
      ...(plugin.methods && { methods: plugin.methods }),
    }),
    code: plugin.code ?? '',
    updated_at: now(),
  }
  // responses show the plugin, and a change of access invalidates every cached response
  await changeAccess(db, (tx) =>
    tx
      .insertInto('plugins')
      .values({ id, built_in: 0, plugin_type: 'source', created_at: now(), ...columns })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
      .execute(),
  )
  return id
}
