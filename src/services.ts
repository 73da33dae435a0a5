import type { EventStore } from './analytics/event-store.ts'
import { openEventStore } from './analytics/open.ts'
import type { Config } from './config.ts'
import { openStorage, type Storage } from './db/open.ts'
import { type Wake, wakeInProcess } from './jobs/wake.ts'
import type { Runtime } from './runtime/contract.ts'
import { createRuntime } from './runtime/runtime.ts'
import { openSecrets } from './secrets/open.ts'
import type { Secrets } from './secrets/secrets.ts'

/** What a server and a worker stand on. */
export interface Services {
  readonly storage: Storage
  readonly secrets: Secrets
  readonly events: EventStore
  readonly runtime: Runtime
  readonly wake: Wake
  close(): Promise<void>
}

export type ServicesConfig = Pick<
  Config,
  'dataFolder' | 'databaseUrl' | 'secretKey' | 'appHosts' | 'requireSeal'
>

export async function openServices(
  config: ServicesConfig,
  warn: (message: string) => void,
  check = false,
): Promise<Services> {
  const storage = await openStorage({ ...config, check })
  try {
    const { db } = storage
    const secrets = await openSecrets({ ...config, db })
    const events = openEventStore({ ...config, db })
    const runtime = createRuntime({
      allowedHosts: config.appHosts,
      requireSeal: config.requireSeal,
      warn,
    })
    const wake = config.databaseUrl
      ? (await import('./jobs/wake-postgres.ts')).wakeByPostgres(config.databaseUrl, db)
      : wakeInProcess()
    const close = async () => {
      await runtime.close()
      await wake.close()
      await events.close()
      await storage.close()
    }
    return { storage, secrets, events, runtime, wake, close }
  } catch (error) {
    await storage.close()
    throw error
  }
}
