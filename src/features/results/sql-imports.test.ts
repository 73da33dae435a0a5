import { expect, it } from 'vitest'
import { CONFIGS, type TestApp } from '../../../test/support/app/app.ts'
import { startImportApp } from '../../../test/support/app/import-app.ts'
import { QUERY } from '../../../test/support/data/visits.ts'

const WORKS = `
  export const jobs = {
    async work({ n }, { utils }) {
      if (n === 1) throw new Error('No such shop')
      utils.skip('no person', 'row')
      await posthog.capture('order')
    },
  }
`

const config_schema = [{ key: 'token', type: 'string' as const, secret: true }]

async function ask(api: TestApp, query: string) {
  const { body, text } = await api.post(QUERY, { query: { kind: 'HogQLQuery', query } })
  expect(body.results, text).toBeTruthy()
  return body.results
}

it('shows imports and their runs, and follows them', { tags: 'sql' }, async () => {
  const api = await startImportApp(WORKS, { config_schema, settings: { token: 's3cret-token' } })
  await api.post(CONFIGS, { plugin: api.pluginId, name: `It's\n"two"` })
  const states = 'select id, name, app, enabled, state, message from import_configs order by id'
  const two = [2, `It's\n"two"`, 'Test app', false, 'paused', '']
  expect(await ask(api, states)).toEqual([[1, 'Test app', 'Test app', true, 'never_ran', ''], two])

  const { started_at } = await api.runJob('work', { n: 2 })
  await api.runJob('work', { n: 1 })

  const failing = [1, 'Test app', 'Test app', true, 'failing', 'No such shop']
  expect(await ask(api, states)).toEqual([failing, two])
  const runs = await ask(
    api,
    `select c.name, r.state, r.events, r.skipped, r.started_at, r.finished_at >= r.started_at
     from import_runs r join import_configs c on c.id = r.config_id order by r.created_at`,
  )
  expect(runs).toEqual([
    ['Test app', 'succeeded', 1, 1, started_at, true],
    ['Test app', 'failed', 0, 0, expect.any(String), true],
  ])
  expect(JSON.stringify(await ask(api, 'select * from import_configs'))).not.toContain('s3cret')
})

it('is empty without imports, and joins events', { tags: 'sql' }, async () => {
  const api = await startImportApp(WORKS)
  await api.delete(`${CONFIGS}/1`)

  expect(await ask(api, 'select count() from import_runs')).toEqual([[0]])
  expect(await ask(api, 'select count(), max(since) from IMPORT_CONFIGS')).toEqual([[0, null]])
})

it('does not show the imports of another project', async () => {
  const api = await startImportApp(WORKS)
  await api.runJob('work', { n: 2 })
  const { body } = await api.post('/api/organizations/@current/projects', { name: 'Other' })

  const query = { kind: 'HogQLQuery', query: 'select count() from import_runs' }
  const other = await api.post(`/api/environments/${body.id}/query`, { query })

  expect(other.body.results).toEqual([[0]])
})

it('is not the name of a table for events', async () => {
  const api = await startImportApp(WORKS)

  const query = { kind: 'HogQLQuery', query: 'select settings from import_configs' }
  const { status } = await api.post(QUERY, { query })

  expect(status).toBe(400)
})
