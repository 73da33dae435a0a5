import { readFile } from 'node:fs/promises'
import { parseConnector } from '#server/features/import-apps/plugins/package/connector.ts'
import type { Connector } from '../../apps/connector/connector.ts'
import { importNew } from '../../apps/connector/import.ts'
import type { App } from '../../apps/shared/app.ts'
import { createFakeApp, type FakeResponse } from './fake-app.ts'
import type { Service } from './services.ts'

const APPS = new URL('../../apps/', import.meta.url)

export async function readConnector({ folder }: Pick<Service, 'folder'>): Promise<Connector> {
  const text = await readFile(new URL(`${folder}/connector.yaml`, APPS), 'utf8')
  return (await parseConnector(text)) as Connector
}

export const readManifest = async ({ folder }: Pick<Service, 'folder'>) =>
  JSON.parse(await readFile(new URL(`${folder}/plugin.json`, APPS), 'utf8'))

/** Runs the app of a service against its fake. `before` may respond in its place. */
export function startService(
  service: Service,
  before: () => FakeResponse | undefined = () => undefined,
) {
  const { key, keyHeader = 'authorization', refused, respond, config } = service
  const fake = createFakeApp({
    config,
    respond(url, headers, body) {
      const early = before()
      if (early) return early
      if (key !== undefined && headers[keyHeader] !== key) return refused
      return respond(url, headers, body) ?? { status: 404, body: 'no such path' }
    },
  })
  const run = service.run ?? (async (app: App) => importNew(app, await readConnector(service)))
  return { ...fake, run: () => run(fake.app) }
}
