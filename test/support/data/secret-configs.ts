import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { openSecrets } from '#server/secrets/open.ts'

/** Inserts many configs, so a process can be killed halfway through them. */
export async function insertConfigs(options: StorageOptions, count: number): Promise<void> {
  const { db, close } = await openStorage(options)
  const { dataFolder } = options
  const secrets = await openSecrets({ db, dataFolder, secretKey: undefined })
  const row = { project_id: 1, plugin_id: 1, enabled: 0, position: 0, deleted: 0 } as const
  await db.transaction().execute(async (tx) => {
    for (let done = 0; done < count; done++) {
      const settings = secrets.encryptText('{"url":"https://example.com"}')
      const config = { ...row, settings, created_at: '', updated_at: '' }
      await tx.insertInto('plugin_configs').values(config).execute()
    }
  })
  await close()
}
