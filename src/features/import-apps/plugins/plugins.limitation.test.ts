import { describe, expect, it } from 'vitest'
import { CONFIGS, useApp } from '../../../../test/support/app/app.ts'
import { PLUGINS, sourceOf } from '../../../../test/support/app/plugin.ts'

const TRANSFORMS = 'export const processEvent = (event) => event'
const NEVER =
  'This app only transforms events (processEvent). Hedgerow runs apps that import events, so this app never runs.'

describe('an app that does not only import', () => {
  it.each([
    ['transforms', TRANSFORMS, NEVER],
    [
      'exports',
      'export const onEvent = () => {}\nexport const exportEvents = () => {}',
      'This app only exports events (onEvent, exportEvents). Hedgerow runs apps that import events, so this app never runs.',
    ],
    [
      'imports and transforms',
      `${TRANSFORMS}\nexport const runEveryHour = () => {}`,
      'This app also transforms events (processEvent), which Hedgerow does not do. It only imports here.',
    ],
    ['imports', 'export const runEveryHour = () => {}', ''],
    ['has only a set-up', 'export const setupPlugin = () => {}', ''],
  ])('says so at install if it %s', async (_, code, limitation) => {
    const api = await useApp()

    const { body } = await api.post(PLUGINS, sourceOf(code))

    expect(body.limitation).toBe(limitation)
  })

  it('leaves out public jobs that the code does not export, and names them', async () => {
    const api = await useApp()
    const code = 'export const jobs = { restart: () => {} }'
    const publicJobs = { restart: {}, 'Clear storage': {} }

    const { status, body } = await api.post(PLUGINS, sourceOf(code, { publicJobs }))
    const { body: config } = await api.post(CONFIGS, { plugin: body.id, enabled: true })
    const job = { type: 'Clear storage', payload: {}, operation: 'start' }
    const started = await api.post(`${CONFIGS}/${config.id}/job`, { job })

    expect(status).toBe(201)
    expect(Object.keys(body.public_jobs)).toEqual(['restart'])
    expect(Object.keys(JSON.parse(config.plugin_info).public_jobs)).toEqual(['restart'])
    expect(body.limitation).toBe(
      'plugin.json names public jobs that the code does not export (Clear storage). They are left out.',
    )
    expect(started).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/job/i) } })
  })

  it('says in the error of its configs that it never runs', async () => {
    const api = await useApp()
    const { body: app } = await api.post(PLUGINS, sourceOf(TRANSFORMS))

    const { body } = await api.post(CONFIGS, { plugin: app.id, enabled: true })

    expect(body.error).toBe(NEVER)
  })
})
