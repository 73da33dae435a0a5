import { describe, expect, it } from 'vitest'
import { CONFIGS, useApp } from '../../../../test/support/app/app.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'

const NOT_BY_NAME = [undefined, '*/*', 'text/html, application/*', 'application/jsonp']

const OPERATIONS = [
  ['GET', 'activity'],
  ['GET', 'frontend'],
  ['POST', 'job'],
  ['POST', 'migrate'],
] as const

describe.each(OPERATIONS)('%s %s', (method, name) => {
  const pathOf = (id: number) => `${CONFIGS}/${id}/${name}`

  it('has an empty response unless Accept names JSON', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })

    for (const accept of NOT_BY_NAME) {
      const response = await api.request(method, pathOf(id), undefined, accept ? { accept } : {})

      expect([response.status, response.text]).toEqual([200, ''])
      expect(response.headers.get('content-type')).toBeNull()
      expect(response.headers.get('vary')).toContain('accept')
    }
  })

  it('responds with JSON when Accept names it', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })

    const accept = 'text/html, Application/JSON;q=0.9'
    const { status, body } = await api.request(method, pathOf(id), undefined, { accept })

    expect([status, typeof body]).toEqual([200, 'object'])
  })

  it('responds with errors in any case', async () => {
    const api = await useApp()

    expect(await api.request(method, pathOf(1))).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })

  it('works on a config in the trash, except for jobs', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, deleted: true })

    expect((await api.request(method, pathOf(id))).status).toBe(name === 'job' ? 409 : 200)
  })
})

describe('the frontend of a config', () => {
  it.each(['text/javascript', 'application/javascript'])('is a module as %s', async (accept) => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })

    const { text, headers } = await api.get(`${CONFIGS}/${id}/frontend`, { accept })

    expect(text).toBe('export function getFrontendApp () { return {"no_frontend": true} }')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  it('is missing in apps without one', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })

    const { body } = await api.get(`${CONFIGS}/${id}/frontend`, { accept: 'application/json' })

    expect(body).toEqual({ no_frontend: true })
  })
})
