import { describe, expect, it } from 'vitest'
import { CONFIGS, useApp } from '../../../../test/support/app/app.ts'
import { PLUGINS, sourceOf } from '../../../../test/support/app/plugin.ts'

const CODE = 'export const runEveryHour = () => {}'
const PAGE = 'export const scene = { title: "Hello", component: () => <b>Hi</b> }'

async function start(page: string | undefined) {
  const api = await useApp()
  const more: Record<string, string> = page === undefined ? {} : { 'frontend.tsx': page }
  const { body: plugin } = await api.post(PLUGINS, sourceOf(CODE, {}, more))
  const { body: config } = await api.post(CONFIGS, { plugin: plugin.id })
  const ask = (accept: string) => api.get(`${CONFIGS}/${config.id}/frontend`, { accept })
  return { api, plugin, ask }
}

describe("an app's own page", () => {
  it('is a module that a browser can load', async () => {
    const { plugin, ask } = await start(PAGE)

    const { text, headers } = await ask('text/javascript')

    expect(plugin.has_frontend).toBe(true)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const { getFrontendApp } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
    expect(getFrontendApp(() => ({}))).toMatchObject({ scene: { title: 'Hello' } })
    expect((await ask('application/json')).body).toEqual({ source: text })
  })

  it('is reported as missing if the app has none', async () => {
    const { plugin, ask } = await start(undefined)

    const { text } = await ask('application/javascript')

    expect(plugin.has_frontend).toBe(false)
    expect(text).toBe('export function getFrontendApp () { return {"no_frontend": true} }')
    expect((await ask('application/json')).body).toEqual({ no_frontend: true })
  })

  it('reports its compile error, and the app is still installed', async () => {
    const { ask } = await start('export const = <b>')

    const { body } = await ask('application/json')
    const { text } = await ask('text/javascript')

    expect(body.error).toContain('frontend.tsx')
    expect(text).toBe(
      `export function getFrontendApp () { return {"error": ${JSON.stringify(body.error)}} }`,
    )
  })

  it('is recompiled when it changes, and removed when its file is deleted', async () => {
    const { api, plugin, ask } = await start('export const = <b>')

    await api.patch(`${PLUGINS}/${plugin.id}/update_source`, { 'frontend.tsx': PAGE })
    const changed = await ask('application/json')
    await api.patch(`${PLUGINS}/${plugin.id}/update_source`, { 'frontend.tsx': null })
    const removed = await ask('application/json')

    expect(changed.body.source).toContain('Hello')
    expect(removed.body).toEqual({ no_frontend: true })
  })

  it('is not sent unless Accept names JavaScript or JSON', async () => {
    const { ask } = await start(PAGE)

    expect(await ask('*/*')).toMatchObject({ status: 200, text: '' })
  })

  it('can be the only file of an app', async () => {
    const api = await useApp()
    const files = { 'plugin.json': '{"name": "Page"}', 'frontend.tsx': PAGE }

    const { status, body } = await api.post(PLUGINS, { plugin_type: 'source', files })

    expect(status).toBe(201)
    expect(body).toMatchObject({ has_frontend: true, capabilities: { scheduled_tasks: [] } })
  })
})
