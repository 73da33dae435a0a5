import { describe, expect, it } from 'vitest'
import { startApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { startMailServer } from '../../../../test/support/servers/mail-server.ts'

const COMMENTS = 'comments'
const MENTIONS = '/api/users/@me/mentions'

async function start() {
  const api = await useApp()
  const { id } = await createDashboard(api, { name: 'Sales' })
  const grace = await api.as({})
  const browser = await api.withSession(grace.userId)
  const comment = async (content: string, mentions: readonly number[]) => {
    const body = { content, mentions, scope: 'Dashboard', item_id: id }
    return (await api.post(COMMENTS, body)).body
  }
  const unread = async () => (await browser.get(`${MENTIONS}?unread=true`)).body.count
  return { api, id, grace, browser, comment, unread }
}

describe('mentions', { tags: 'sql' }, () => {
  it('are listed for the user until they are read', async () => {
    const { api, id, grace, browser, comment, unread } = await start()
    const { id: first, mentions } = await comment('@Grace, why?', [grace.userId])
    await comment('@Grace?', [grace.userId])
    expect(mentions).toEqual([grace.userId])

    const { body } = await browser.get(MENTIONS)

    expect(body.count).toBe(2)
    expect(body.results[1]).toEqual({
      id: expect.any(Number),
      comment: {
        ...{ id: first, content: '@Grace, why?', created_at: expect.stringMatching(/Z$/) },
        created_by: expect.objectContaining({ id: 1 }),
      },
      dashboard: { id, name: 'Sales' },
      project: { id: api.projectId, name: expect.any(String) },
      created_at: expect.stringMatching(/Z$/),
      read_at: null,
    })
    await browser.post(`${MENTIONS}/read`, { ids: [body.results[1].id] })
    expect(await unread()).toBe(1)
    expect((await browser.post(`${MENTIONS}/read`, {})).status).toBe(204)
    expect(await unread()).toBe(0)
    expect((await browser.get(MENTIONS)).body.count).toBe(2)
  })

  it('change with the comment, and end with it', async () => {
    const { api, grace, comment, unread } = await start()
    const { id } = await comment('Why?', [])
    const path = `${COMMENTS}/${id}`

    const { body } = await api.patch(path, { mentions: [grace.userId] })
    expect(body).toMatchObject({ mentions: [grace.userId], version: 0 })
    expect(await unread()).toBe(1)
    await api.patch(path, { content: 'Why, Grace?' })
    expect(await unread()).toBe(1)
    await api.patch(path, { mentions: [] })
    expect(await unread()).toBe(0)
    await api.patch(path, { mentions: [grace.userId] })
    await api.patch(path, { deleted: true })
    expect(await unread()).toBe(0)
  })

  it('are of users with access to the project', async () => {
    const { api, id, grace, browser, comment, unread } = await start()
    const stranger = await api.as({ memberOf: [] })
    const sent = { content: 'x', scope: 'Dashboard', item_id: id, mentions: [stranger.userId] }

    expect((await api.post(COMMENTS, sent)).body).toMatchObject({
      ...{ code: 'does_not_exist', attr: 'mentions' },
    })
    await comment('@Grace', [grace.userId])
    expect(await unread()).toBe(1)
    await api.delete(`members/${grace.uuid}`)
    expect((await browser.get(MENTIONS)).body).toMatchObject({ count: 0, results: [] })
  })

  it('of others cannot be read or marked', async () => {
    const { api, grace, browser, comment, unread } = await start()
    const other = await api.withSession((await api.as({})).userId)
    await comment('@Grace', [grace.userId])
    const [{ id }] = (await browser.get(MENTIONS)).body.results

    expect((await other.get(MENTIONS)).body.count).toBe(0)
    expect((await other.post(`${MENTIONS}/read`, { ids: [id] })).status).toBe(204)
    expect(await unread()).toBe(1)
  })

  it('are mailed with a link, once, and not to the author', async () => {
    const mail = await startMailServer()
    const api = await startApp(undefined, {
      HEDGEROW_SMTP_URL: mail.url,
      HEDGEROW_MAIL_FROM: 'hedgerow@example.com',
      HEDGEROW_URL: 'https://hedgerow.example',
    })
    const { id } = await createDashboard(api, { name: 'Sales <b>' })
    const [grace, linus] = [await api.as({}), await api.as({})]
    const sent = { content: 'Why <i>now</i>?', scope: 'Dashboard', item_id: id }

    const { body } = await api.post(COMMENTS, { ...sent, mentions: [1, grace.userId] })
    const [first] = await mail.waitFor(1)
    await api.patch(`${COMMENTS}/${body.id}`, { mentions: [1, grace.userId, linus.userId] })
    const mails = await mail.waitFor(2)

    expect(mails.map(({ to }) => to)).toEqual([[grace.email], [linus.email]])
    const source = (first?.source ?? '').replace(/=\r\n/g, '').replaceAll('=3D', '=')
    expect(source).toContain(`https://hedgerow.example/project/1/${pathOf(id)}?comments=${body.id}`)
    expect(source).toContain('Why &lt;i&gt;now&lt;/i&gt;?')
    expect(source).toContain('Subject: ')
  })

  it('are limited for each author', async () => {
    const api = await startApp()
    const { id } = await createDashboard(api, { name: 'Sales' })
    const users: number[] = []
    for (let count = 0; count < 20; count++) users.push((await api.as({})).userId)
    const sent = { content: 'Hey', scope: 'Dashboard', item_id: id, mentions: users }

    for (let round = 0; round < 5; round++)
      expect((await api.post(COMMENTS, sent)).status).toBe(201)

    expect(await api.post(COMMENTS, sent)).toMatchObject({ status: 429 })
    expect((await api.post(COMMENTS, { ...sent, mentions: [] })).status).toBe(201)
    expect((await api.get(COMMENTS)).body.count).toBe(6)
  })
})
