import { expect, it } from 'vitest'
import { startApp } from '../../../../test/support/app/app.ts'

/** The requests of PostHog's trackers of releases, which name no project. */
it('takes the requests of release trackers at /api/annotation', async () => {
  const api = await startApp()
  const other = await api.createProject()
  await api.post(`/api/projects/${other}/annotations`, { content: 'Of another project' })
  const marker = { scope: 'organization', date_marker: '2026-02-03T04:05:06Z' }

  const me = await api.get('/api/user')
  const created = []
  for (const content of ['v1', 'v2', 'v3']) {
    created.push(await api.post('/api/annotation/', { content, ...marker }))
  }
  const seen: string[] = []
  let next = '/api/annotation/?scope=organization&deleted=false&limit=2'
  while (next) {
    const { body } = await api.get(next.replace(api.url, ''))
    seen.push(...body.results.map(({ content }: { content: string }) => content))
    next = body.next
  }
  const path = `/api/annotation/${created[0]?.body.id}/`
  const patched = await api.patch(path, { deleted: true })

  expect([me.status, me.body.email]).toEqual([200, 'owner@example.com'])
  expect(created.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(seen.toSorted()).toEqual(['v1', 'v2', 'v3'])
  expect(patched).toMatchObject({ status: 200, body: { content: 'v1', deleted: true } })
  expect((await api.get(path)).body).toEqual(patched.body)
})

it('serves what older apps read without a project from the current project', async () => {
  const api = await startApp()
  const other = await api.createProject()
  const member = await api.as({ memberOf: [other] })
  const names = { dashboard: 'dashboards', insight: 'insights', cohort: 'cohorts' }

  for (const [name, plural] of Object.entries(names)) {
    await api.post(`/api/projects/${other}/${plural}`, {
      name: 'Here',
      ...(plural === 'cohorts' && { is_static: true }),
    })
    const { body } = await member.get(`/api/${name}/`)
    expect([name, body.results.map((each: { name: string }) => each.name)]).toEqual([
      name,
      ['Here'],
    ])
  }
  expect((await member.get('/api/person/?distinct_id=a')).body.results).toEqual([])
})
