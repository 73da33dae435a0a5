import { expect, it } from 'vitest'
import { useApp } from '../support/app/app.ts'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { toEvent } from '../support/data/queries.ts'
import { readManifest, startService } from './run-service.ts'
import { SERVICES } from './services.ts'

interface Tile {
  readonly insight: { readonly name: string; readonly result: unknown }
}

it.each(SERVICES.map((service) => [service.folder, service] as const))(
  'the template of %s shows what its app imports',
  { tags: 'sql' },
  async (_, service) => {
    const fake = startService(service)
    await fake.run()
    const api = await useApp()
    const events = fake
      .events()
      .map(({ event, distinct_id, timestamp, properties }) =>
        toEvent({ event, person: distinct_id, at: timestamp, properties }),
      )
    await api.services.events.append(api.projectId, events)
    const { template } = await readManifest(service)
    const { id } = await createDashboard(api, { use_template: template })

    const { body } = await api.get(pathOf(id, '?refresh=blocking'))

    const results: Record<string, unknown> = Object.fromEntries(
      body.tiles.map(({ insight }: Tile) => [insight.name, insight.result]),
    )
    for (const [name, result] of Object.entries(results)) expect(result, name).not.toBeNull()
    const newest = Object.entries(results).find(([name]) => /^(Newest|Best|Packages)/.test(name))
    expect(newest?.[1], newest?.[0]).not.toEqual([])
  },
)
