import { describe, expect, it } from 'vitest'
import { BUILT_IN } from '#server/features/dashboards/templates/built-in/built-in.ts'
import { readBuiltInApps } from '#server/features/import-apps/plugins/built-in.ts'
import { readConnector, readManifest, startService } from './run-service.ts'
import { SERVICES } from './services.ts'

const NAMED = SERVICES.map((service) => [service.folder, service] as const)
const CONNECTORS = NAMED.filter(([, { run }]) => run === undefined)

describe('the app of a service', () => {
  it.each(NAMED)('%s imports all pages of all streams, each record once', async (_, service) => {
    const fake = startService(service)

    await fake.run()

    const counts = Object.entries(Object.groupBy(fake.events(), ({ event }) => event))
    expect(Object.fromEntries(counts.map(([name, all]) => [name, all?.length]))).toEqual(
      service.events,
    )
    expect(fake.events()[0]).toMatchObject(service.first)
    expect(fake.skipped).toEqual([])
    const before = fake.events().length
    await fake.run()
    expect(fake.events()).toHaveLength(before)
  })

  it.each(NAMED)('%s waits when it is told to', async (_, service) => {
    let count = 0
    const fake = startService(service, () =>
      count++ === 0 ? { status: 429, headers: { 'retry-after': '2' } } : undefined,
    )

    await fake.run()

    expect(fake.slept).toEqual([2000])
    expect(fake.events().length).toBeGreaterThan(0)
  })

  it.each(NAMED)('%s fails temporarily when the service does', async (_, service) => {
    const fake = startService(service, () => ({ status: 500, body: 'internal error' }))

    const failing = fake.run()

    await expect(failing).rejects.toThrow('returned 500 (internal error), 6 times in a row')
    await expect(failing).rejects.toMatchObject({ isTemporary: true })
  })

  it.each(NAMED)('%s says what the service refused', async (_, service) => {
    const fake = startService(service, () => service.refused)

    const { status, body } = service.refused
    const failing = fake.run()

    await expect(failing).rejects.toThrow(`returned ${status}. Response: ${body}`)
    expect(fake.events()).toEqual([])
  })

  it.each(CONNECTORS)('%s has the streams and backfills of its plugin.json', async (folder) => {
    const { streams } = await readConnector({ folder })
    const manifest = await readManifest({ folder })

    expect(manifest.streams).toEqual(streams.map(({ name }) => name))
    const canImportPast = streams.some(({ incremental }) => incremental?.to_parameter)
    expect(manifest.backfills ?? false).toBe(canImportPast)
  })

  it.each(NAMED)('%s has a dashboard template', async (_, service) => {
    const { template } = await readManifest(service)

    expect(BUILT_IN.map(({ template: { name } }) => name)).toContain(template)
  })

  it('is in this table', async () => {
    const general = ['http-json', 'csv', 'postgres-table', 'demo-data', 'webhook', 'mysql-table']
    const folders = (await readBuiltInApps()).map(({ folder }) => folder)

    expect(SERVICES.map(({ folder }) => folder)).toEqual(
      folders.filter((folder) => !general.includes(folder)),
    )
  })
})
