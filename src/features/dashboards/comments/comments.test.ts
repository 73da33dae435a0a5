import { describe, expect, it } from 'vitest'
import { type Client, startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf, textTile } from '../../../../test/support/data/dashboards.ts'

const COMMENTS = 'comments'

async function start() {
  const api = await useApp()
  const dashboard = await createDashboard(api, { name: 'Sales', tiles: [textTile('# Hello')] })
  const on = { scope: 'Dashboard', item_id: dashboard.id }
  const comment = async (content: string, more: object = {}, by: Client = api) =>
    (await by.post(COMMENTS, { content, ...on, ...more })).body
  const reply = async (source_comment: string, content: string, by: Client = api) =>
    (await by.post(COMMENTS, { content, source_comment })).body
  return { api, dashboard, on, comment, reply }
}

const list = async (api: Client, query = '') =>
  (await api.get(`${COMMENTS}?${query}`)).body.results.map(
    ({ content }: { content: string }) => content,
  )

const activitiesOf = async (api: TestApp, id: number) =>
  (await api.get(pathOf(id, '/activity'))).body.results.map(
    ({ activity }: { activity: string }) => activity,
  )

describe('comments', { tags: 'sql' }, () => {
  it('are on a dashboard, one of its tiles and a point in time', async () => {
    const { api, dashboard, on } = await start()
    const tile = dashboard.tiles[0].id

    const { status, body } = await api.post(COMMENTS, {
      content: ' Why is it so high? ',
      ...on,
      item_context: { tile_id: tile, point: '2026-03-02T00:00:00+01:00' },
    })

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_by: expect.objectContaining({ id: 1 }),
      deleted: false,
      content: 'Why is it so high?',
      rich_content: null,
      version: 0,
      created_at: expect.stringMatching(/Z$/),
      item_id: `${dashboard.id}`,
      item_context: { tile_id: tile, point: '2026-03-01T23:00:00.000Z' },
      scope: 'Dashboard',
      source_comment: null,
      ...{ is_task: false, completed_at: null, completed_by: null, mentions: [] },
    })
    expect((await api.get(`${COMMENTS}/${body.id}`)).body).toEqual(body)
    expect(await activitiesOf(api, dashboard.id)).toContain('commented')
  })

  it('are answered in one thread', async () => {
    const { api, dashboard, comment, reply } = await start()
    const first = await comment('Why?', { item_context: { tile_id: dashboard.tiles[0].id } })
    await comment('Another thread')

    const answer = await reply(first.id, 'A release')
    const further = await reply(answer.id, 'Which one?')

    expect(answer).toMatchObject({ source_comment: first.id, item_context: first.item_context })
    expect(further).toMatchObject({ source_comment: first.id })
    const thread = await api.get(`${COMMENTS}/${first.id}/thread`)
    expect(thread.body.results).toEqual([further, answer])
    expect((await api.get(`${COMMENTS}/${further.id}/thread`)).body).toEqual(thread.body)
    expect(await list(api, `source_comment=${first.id}`)).toEqual(['Which one?', 'A release'])
  })

  it('are listed by dashboard, text and state, the newest first', async () => {
    const { api, dashboard, comment, reply } = await start()
    const other = await createDashboard(api, { name: 'Other' })
    const open = await comment('Größe?')
    const done = await comment('Fixed 100%')
    await reply(done.id, 'Thanks')
    await comment('Elsewhere', { item_id: `${other.id}` })
    await api.post(`${COMMENTS}/${done.id}/complete`)

    expect(await list(api)).toEqual(['Elsewhere', 'Thanks', 'Fixed 100%', 'Größe?'])
    expect(await list(api, `scope=Dashboard&item_id=${other.id}`)).toEqual(['Elsewhere'])
    expect(await list(api, 'search=größe')).toEqual([open.content])
    expect(await list(api, 'search=0%25')).toEqual(['Fixed 100%'])
    expect(await list(api, `item_id=${dashboard.id}&completed=open`)).toEqual(['Größe?'])
    expect(await list(api, 'completed=completed')).toEqual(['Thanks', 'Fixed 100%'])
    expect(await list(api, 'item_id=all')).toEqual([])
    const count = await api.get(`${COMMENTS}/count?item_id=${dashboard.id}&completed=open`)
    expect(count.body).toEqual({ count: 1 })
  })

  it('are resolved and reopened by anyone, as a thread', async () => {
    const { api, dashboard, comment, reply } = await start()
    const member = await api.as({})
    const first = await comment('Why?')
    const answer = await reply(first.id, 'Because')

    const resolved = await member.post(`${COMMENTS}/${first.id}/complete`)
    const again = await api.post(`${COMMENTS}/${first.id}/complete`)

    expect(resolved.body).toMatchObject({
      completed_at: expect.stringMatching(/Z$/),
      completed_by: { id: member.userId },
    })
    expect(again.body).toEqual(resolved.body)
    expect((await api.post(`${COMMENTS}/${answer.id}/complete`)).status).toBe(400)
    const reopened = await api.post(`${COMMENTS}/${first.id}/reopen`)
    expect(reopened.body).toMatchObject({ completed_at: null, completed_by: null })
    expect(await activitiesOf(api, dashboard.id)).toEqual(
      expect.arrayContaining(['comment resolved', 'comment reopened']),
    )
  })

  it('are edited and deleted by their author only; admins can delete them too', async () => {
    const { api, dashboard, comment } = await start()
    const [author, other, admin] = [
      await api.as({}),
      await api.as({}),
      await api.as({ level: 8 }),
    ] as const
    const { id } = await comment('Tpyo', {}, author)
    const path = `${COMMENTS}/${id}`

    const edited = await author.patch(path, { content: 'Typo' })

    expect(edited.body).toMatchObject({ content: 'Typo', version: 1 })
    expect((await author.patch(path, { content: 'Typo' })).body.version).toBe(1)
    expect((await other.patch(path, { content: 'Mine' })).status).toBe(403)
    expect((await other.patch(path, { deleted: true })).status).toBe(403)
    expect((await admin.patch(path, { content: 'Mine' })).status).toBe(403)
    expect((await admin.patch(path, { deleted: true })).body).toMatchObject({ deleted: true })
    expect((await api.get(path)).status).toBe(404)
    expect((await admin.patch(path, { deleted: false })).status).toBe(403)
    expect((await author.patch(path, { content: 'Gone' })).status).toBe(404)
    expect((await author.patch(path, { deleted: false })).body).toMatchObject({
      ...{ deleted: false, content: 'Typo' },
    })
    expect((await api.delete(path)).status).toBe(405)
    expect(await activitiesOf(api, dashboard.id)).toEqual(
      expect.arrayContaining(['comment edited', 'comment deleted', 'comment restored']),
    )
  })

  it('disappear with the comment that begins their thread, and with their dashboard', async () => {
    const { api, dashboard, comment, reply } = await start()
    const first = await comment('Why?')
    const answer = await reply(first.id, 'Because')
    await comment('Still here')

    await api.patch(`${COMMENTS}/${first.id}`, { deleted: true })

    expect(await list(api)).toEqual(['Still here'])
    expect((await api.get(`${COMMENTS}/${answer.id}`)).status).toBe(404)
    expect((await api.post(COMMENTS, { content: 'x', source_comment: first.id })).status).toBe(400)
    await api.patch(pathOf(dashboard.id), { deleted: true })
    expect(await list(api)).toEqual([])
    await api.patch(pathOf(dashboard.id), { deleted: false })
    expect(await list(api)).toEqual(['Still here'])
  })

  it('of another project do not exist', async () => {
    const { api, dashboard, comment } = await start()
    const { id } = await comment('Secret')
    const project = await api.createProject()
    const there = (path: string) => api.path(path, project)

    expect((await api.get(there(COMMENTS))).body.count).toBe(0)
    expect((await api.get(there(`${COMMENTS}/count?item_id=${dashboard.id}`))).body.count).toBe(0)
    for (const [method, path, body] of [
      ['GET', `${COMMENTS}/${id}`],
      ['GET', `${COMMENTS}/${id}/thread`],
      ['PATCH', `${COMMENTS}/${id}`, { content: 'x' }],
      ['POST', `${COMMENTS}/${id}/complete`],
    ] as const) {
      expect((await api.request(method, there(path), body)).status, path).toBe(404)
    }
    const onForeign = { content: 'x', scope: 'Dashboard', item_id: dashboard.id }
    expect(await api.post(there(COMMENTS), onForeign)).toMatchObject({
      ...{ status: 400, body: { code: 'does_not_exist', attr: 'item_id' } },
    })
    const toForeign = { content: 'x', source_comment: id }
    expect((await api.post(there(COMMENTS), toForeign)).body.attr).toBe('source_comment')
  })

  it('are refused if something in them is wrong', async () => {
    const { api, dashboard, on, comment, reply } = await start()
    const other = await createDashboard(api, { name: 'Other', tiles: [textTile('# There')] })
    const first = await comment('Why?')
    const answer = await reply(first.id, 'Because')
    for (const [body, attr] of [
      [{ content: ' ', ...on }, 'content'],
      [{ content: 'x'.repeat(10_001), ...on }, 'content'],
      [{ content: 'x', item_id: dashboard.id }, 'scope'],
      [{ content: 'x', scope: 'Dashboard' }, 'item_id'],
      [{ content: 'x', scope: 'Insight', item_id: 1 }, 'scope'],
      [{ content: 'x', ...on, item_id: 'all' }, 'item_id'],
      [{ content: 'x', ...on, item_id: 9_007_199_254_740_991 }, 'item_id'],
      [{ content: 'x', ...on, rich_content: {} }, 'rich_content'],
      [{ content: 'x', ...on, is_task: true }, 'is_task'],
      [
        { content: 'x', ...on, item_context: { tile_id: other.tiles[0].id } },
        'item_context__tile_id',
      ],
      [{ content: 'x', ...on, item_context: { point: 'noon' } }, 'item_context__point'],
      [{ content: 'x', ...on, item_context: { place: 1 } }, 'item_context__place'],
      [{ content: 'x', source_comment: 'none' }, 'source_comment'],
      [{ content: 'x', source_comment: answer.id, item_id: other.id }, 'item_id'],
      [{ content: 'x', source_comment: answer.id, item_context: {} }, 'item_context'],
      [{ content: 'x', ...on, mentions: [9_007_199_254_740_991] }, 'mentions'],
    ] as const) {
      const { status, body: error } = await api.post(COMMENTS, body)
      expect([status, error.attr], JSON.stringify(body).slice(0, 200)).toEqual([400, attr])
    }
    expect(await list(api)).toEqual(['Because', 'Why?'])
  })

  it('need the scope comment', async () => {
    const reader = await startApp(['comment:read'])
    expect((await reader.get(COMMENTS)).status).toBe(200)
    expect((await reader.post(COMMENTS, { content: 'x' })).status).toBe(403)
  })

  it('are on no public page', async () => {
    const { api, dashboard, comment } = await start()
    await comment('between us')
    const { body } = await api.patch(pathOf(dashboard.id, '/sharing'), { enabled: true })
    const visitor = api.withKey(undefined)

    for (const suffix of ['', '.json', '.csv']) {
      const { status, text } = await visitor.get(`/shared/${body.access_token}${suffix}`)
      expect(status).toBe(200)
      expect(text).not.toContain('between us')
    }
  })
})
