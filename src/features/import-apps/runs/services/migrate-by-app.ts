import type { Db } from '#server/db/schema.ts'
import { loadAttachments } from '#server/features/import-apps/attachments/load.ts'
import type { MigrateByApp } from '#server/features/import-apps/configs/migrate.ts'
import {
  AppProblem,
  type AppServices,
  type AppSpec,
  type Runtime,
} from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { toAppSpec } from '../execution/load-app-spec.ts'
import { insertLogs, type NewLogLine } from '../logs/log-store.ts'
import { createAppCache } from './cache-store.ts'
import { createAppStorage } from './storage-store.ts'

/** Runs the app's `migrateConfig` in a separate process, even if the config is disabled. */
export const createConfigMigrator =
  (db: Db, secrets: Secrets, runtime: Runtime): MigrateByApp =>
  async (config, plugin) => {
    const attachments = await loadAttachments(db, secrets, config.id)
    const spec = await toAppSpec(db, config, plugin, attachments)
    if (!spec.code.includes('migrateConfig')) return undefined // saves starting a process
    const lines: NewLogLine[] = []
    try {
      return await runtime.migrateConfig(spec, createMigrationServices(db, spec, lines))
    } finally {
      await insertLogs(db, lines)
    }
  }

const refuse = async (): Promise<never> => {
  throw new AppProblem('migrateConfig can only return settings.')
}

const createMigrationServices = (
  db: Db,
  { projectId, configId, pluginId }: AppSpec,
  lines: NewLogLine[],
): AppServices => ({
  storage: createAppStorage(db, configId),
  cache: createAppCache(db, projectId, pluginId),
  capture: refuse,
  captureLarge: refuse,
  enqueue: refuse,
  apiAccess: refuse,
  skip: refuse,
  progress: () => {},
  log: ({ at, source, type, message }) => {
    lines.push({
      project_id: projectId,
      config_id: configId,
      run_id: null,
      created_at: at,
      source,
      type,
      message,
    })
  },
})
