import { describe, expect, it } from 'vitest'
import type { OpenApiDocument, Operation } from '#server/http/openapi-document.ts'
import openApi from '../../openapi.json' with { type: 'json' }
import { useApp } from '../support/app/app.ts'
import { UPSTREAM_PARAMETERS } from './upstream-parameters.ts'
import { createWorld, fillPath } from './world.ts'

const { paths, components } = openApi as unknown as OpenApiDocument

const READS = Object.entries(paths).flatMap(([path, { get }]) => (get ? [{ path, ...get }] : []))

function isList({ operationId, responses }: Operation): boolean {
  const schema = responses[200]?.content?.['application/json']?.schema ?? {}
  const named = components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
  const isOne = operationId === 'getQueryStatus'
  return !isOne && (named.type === 'array' || 'results' in (named.properties ?? {}))
}

describe('the parameters of PostHog', () => {
  it('are known for every list', () => {
    const lists = READS.filter(isList)

    const unknown = lists.filter(({ operationId }) => !UPSTREAM_PARAMETERS[operationId])

    expect(unknown.map(({ operationId }) => operationId)).toEqual([])
  })

  it('are applied or refused by name by every list, never ignored', async () => {
    const api = await useApp()
    const world = await createWorld(api)
    const ignored: string[] = []
    for (const { path, operationId, parameters = [] } of READS) {
      const known = UPSTREAM_PARAMETERS[operationId] ?? []
      for (const name of known) {
        if (parameters.some((parameter) => parameter.name === name)) continue
        const url = `${fillPath(path, world)}?${name}=1`
        const { status, body } = await api.get(url, { accept: 'application/json' })
        if (status !== 400 || body.attr !== name) ignored.push(`${operationId} ${name} ${status}`)
      }
    }

    expect(ignored).toEqual([])
  })

  it('that are refused are named in the description of the operation', async () => {
    const api = await useApp()

    const { body } = await api.get('/api/schema')

    expect(body.paths['/api/projects/{project_id}/events'].get.description).toContain(
      "Refuses parameters of PostHog's that it does not apply: `select`, `where`.",
    )
  })

  it.each(['events', 'persons', 'dashboards', 'insights'])('ask %s for JSON only', async (list) => {
    const api = await useApp()

    const csv = await api.get(`${list}?format=csv`)

    expect((await api.get(`${list}?format=json`)).status).toBe(200)
    expect([csv.status, csv.body.attr]).toEqual([400, 'format'])
  })

  it('that mean nothing are ignored', async () => {
    const api = await useApp()

    expect((await api.get('events?nothing=1&action=2')).status).toBe(200)
  })
})
