import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Client, DASHBOARDS, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf, readAll } from '../../../../test/support/data/dashboards.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

const invite = (client: Client, id: number, user_uuid: string, level: unknown = 37) =>
  client.post(pathOf(id, '/collaborators'), { user_uuid, level })

const readList = async (client: Client, id: number) =>
  (await client.get(pathOf(id, '/collaborators'))).body

describe('collaborators', () => {
  it('start as an empty list', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)

    const { status, body } = await api.get(pathOf(id, '/collaborators'))

    expect([status, body]).toEqual([200, []])
  })

  it.each([21, 37])('are added with level %i and listed', async (level) => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api)

    const { status, body } = await invite(api, id, member.uuid, level)

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      dashboard_id: id,
      level,
      user_uuid: member.uuid,
      user: expect.objectContaining({ id: member.userId }),
      added_at: expect.stringMatching(/Z$/),
      updated_at: body.added_at,
    })
    expect(body.user.uuid).toBe(member.uuid)
    expect(await readList(api, id)).toEqual([body])
  })

  it('are listed in the order they were added', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const people = [await api.as({}), await api.as({}), await api.as({}), await api.as({})]
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    for (const { uuid } of people) {
      await invite(api, id, uuid)
      vi.setSystemTime(Date.now() + 1)
    }

    const listed = await readList(api, id)

    expect(listed.map((one: { user_uuid: string }) => one.user_uuid)).toEqual(
      people.map(({ uuid }) => uuid),
    )
  })

  it('can be any user with access to the project, owner and creator included', async () => {
    const api = await useApp()
    const creator = await api.as({})
    const admin = await api.as({ level: 8, memberOf: [] })
    const { id } = await createDashboard(creator, { restriction_level: 37 })
    const owner = (await api.get('/api/users/@me')).body

    const responses = [creator, admin, owner].map(({ uuid }) => invite(creator, id, uuid, 21))

    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([201, 201, 201])
    const me = (await creator.get(pathOf(id))).body
    expect(me.effective_privilege_level).toBe(37)
  })

  it('are found by UUID in any notation', async () => {
    const api = await useApp()
    const [first, second] = [await api.as({}), await api.as({})]
    const { id } = await createDashboard(api)

    const added = [
      await invite(api, id, first.uuid.replaceAll('-', '').toUpperCase()),
      await invite(api, id, second.uuid.toUpperCase()),
    ]

    expect(added.map(({ body }) => body.user_uuid)).toEqual([first.uuid, second.uuid])
    const bare = first.uuid.replaceAll('-', '').toUpperCase()
    expect((await api.delete(pathOf(id, `/collaborators/${bare}`))).status).toBe(204)
    expect(await readList(api, id)).toMatchObject([{ user_uuid: second.uuid }])
  })

  it('are removed with an empty response, and can be added again', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api)
    await invite(api, id, member.uuid)

    const { status, text } = await api.delete(pathOf(id, `/collaborators/${member.uuid}`))

    expect([status, text]).toEqual([204, ''])
    expect(await readList(api, id)).toEqual([])
    expect((await api.delete(pathOf(id, `/collaborators/${member.uuid}`))).status).toBe(404)
    expect((await invite(api, id, member.uuid, 21)).body.level).toBe(21)
  })

  it.each([NOBODY, 'x', '1', '%00', 'null'])('are not found as %s', async (uuid) => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    await invite(api, id, (await api.as({})).uuid)
    const before = await readAll(api)

    const { status, body } = await api.delete(pathOf(id, `/collaborators/${uuid}`))

    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 'not_found', detail: 'Not found.' })
    expect(await readAll(api)).toEqual(before)
  })

  const REQUIRED = 'This field is required.'
  const NO_UUID = 'Must be a valid UUID.'

  it.each([
    [{}, 'required', 'level', REQUIRED],
    [{ level: 37 }, 'required', 'user_uuid', REQUIRED],
    [{ user_uuid: NOBODY }, 'required', 'level', REQUIRED],
    [{ level: null, user_uuid: NOBODY }, 'null', 'level', 'This field may not be null.'],
    [{ level: 5, user_uuid: NOBODY }, 'invalid_choice', 'level', '"5" is not a valid choice.'],
    [{ level: '37', user_uuid: NOBODY }, 'invalid_choice', 'level', '"37" is not a valid choice.'],
    [{ level: 37, user_uuid: 7 }, 'invalid_input', 'user_uuid', 'Not a valid string.'],
    [{ level: 37, user_uuid: null }, 'null', 'user_uuid', 'This field may not be null.'],
    [{ level: 37, user_uuid: 'x' }, 'invalid_input', 'user_uuid', NO_UUID],
    [{ level: 37, user_uuid: '' }, 'invalid_input', 'user_uuid', NO_UUID],
    [{ level: 37, user_uuid: NOBODY }, 'invalid_input', null, 'User does not exist.'],
  ])('rejects %j', async (sent, code, attr, detail) => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const before = await readAll(api)

    const { status, body } = await api.post(pathOf(id, '/collaborators'), sent)

    expect(status).toBe(400)
    expect(body).toEqual({ type: 'validation_error', code, attr, detail })
    expect(await readAll(api)).toEqual(before)
  })

  it('rejects a collaborator twice, and users without access to the project', async () => {
    const api = await useApp()
    const other = await api.createProject()
    const [member, stranger] = [await api.as({}), await api.as({ memberOf: [other] })]
    const { id } = await createDashboard(api)
    await invite(api, id, member.uuid, 21)
    const before = await readAll(api)

    const responses = [await invite(api, id, member.uuid), await invite(api, id, stranger.uuid)]

    expect(
      responses.map(({ status, body }) => [status, body.code, body.attr, body.detail]),
    ).toEqual([
      [400, 'invalid_input', null, 'User already is a collaborator.'],
      [400, 'invalid_input', null, 'Cannot add collaborators that have no access to the project.'],
    ])
    expect(await readAll(api)).toEqual(before)
  })

  it('adds a collaborator once when two requests race', async () => {
    const api = await useApp()
    const { uuid } = await api.as({})
    const { id } = await createDashboard(api)

    const responses = await Promise.all([1, 2, 3].map(() => invite(api, id, uuid)))

    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
    expect(await readList(api, id)).toHaveLength(1)
  })

  it.each(['404', 'x', '99999999999999999999'])('responds 404 for dashboard %s', async (id) => {
    const api = await useApp()
    const { uuid } = await api.as({})
    const path = `${DASHBOARDS}/${id}/collaborators`

    const responses = [
      await api.get(path),
      await api.post(path, { user_uuid: uuid, level: 37 }),
      await api.delete(`${path}/${uuid}`),
    ]

    for (const { status, body } of responses) {
      expect([status, body.detail]).toEqual([404, 'Dashboard not found.'])
    }
  })

  it('can edit at once, and no longer after removal', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api, { restriction_level: 37 })
    const seen = async () => [
      (await member.patch(pathOf(id), { name: 'Changed' })).status,
      (await member.get(pathOf(id))).body.effective_privilege_level,
      (await member.get(DASHBOARDS)).body.results[0].effective_privilege_level,
    ]
    const before = await seen()

    await invite(api, id, member.uuid, 37)
    const during = await seen()
    await api.delete(pathOf(id, `/collaborators/${member.uuid}`))

    expect([before, during, await seen()]).toEqual([
      [403, 21, 21],
      [200, 37, 37],
      [403, 21, 21],
    ])
  })

  it('stay when the restriction is lifted, and apply when it returns', async () => {
    const api = await useApp()
    const [viewer, editor] = [await api.as({}), await api.as({})]
    const { id } = await createDashboard(api)
    await invite(api, id, viewer.uuid, 21)
    await invite(api, id, editor.uuid, 37)
    const levels = async () => [
      (await viewer.get(pathOf(id))).body.effective_privilege_level,
      (await editor.get(pathOf(id))).body.effective_privilege_level,
    ]
    const open = await levels()

    await api.patch(pathOf(id), { restriction_level: 37 })

    expect([open, await levels()]).toEqual([
      [37, 37],
      [21, 37],
    ])
  })

  it.each([
    ['PUT', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', `/${NOBODY}`],
    ['PATCH', `/${NOBODY}`],
  ])('does not allow %s%s', async (method, rest) => {
    const api = await useApp()
    const { id } = await createDashboard(api)

    const { status, headers } = await api.request(method, pathOf(id, `/collaborators${rest}`))

    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(rest ? 'DELETE, OPTIONS' : 'GET, HEAD, POST, OPTIONS')
  })
})
