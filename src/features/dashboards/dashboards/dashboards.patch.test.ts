import { describe, expect, it } from 'vitest'
import { DASHBOARDS, useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  insightTile,
  pathOf,
  readAll,
  textTile,
} from '../../../../test/support/data/dashboards.ts'

const FULL = {
  name: 'Sales',
  description: 'All of them',
  pinned: true,
  tags: ['a', 'b'],
  filters: { date_from: '-7d', interval: 'day' },
  variables: { one: { value: 1 } },
  tiles: [textTile('Hello'), insightTile('Visits', 6)],
}

describe('patching a dashboard', () => {
  it.each([
    { name: '' },
    { name: 'Costs' },
    { description: 'Some of them' },
    { pinned: false },
    { tags: ['c', 'a'] },
    { tags: [] },
    { filters: { other: true } },
    { filters: {} },
    { variables: { two: { value: 2 } } },
    { variables: {} },
  ])('changes only %j', async (patch) => {
    const api = await useApp()
    const before = await createDashboard(api, FULL)

    const { status, body } = await api.patch(pathOf(before.id), patch)

    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...patch })
    expect((await api.get(pathOf(before.id))).body).toEqual(body)
  })

  it('changes the restriction and the effective levels', async () => {
    const api = await useApp()
    const before = await createDashboard(api, FULL)

    const { body } = await api.patch(pathOf(before.id), { restriction_level: 37 })

    const levels = { restriction_level: 37, effective_restriction_level: 37 }
    expect(body).toEqual({ ...before, ...levels })
  })

  it.each([
    ['a complete one', FULL],
    ['one from a template', { use_template: 'WEBSITE_TRAFFIC' }],
    ['a restricted one', { restriction_level: 37 }],
    ['one in the trash', { ...FULL, deleted: true }],
    ['a copy', undefined],
  ])('accepts %s as it was read, and changes nothing', async (_, sent) => {
    const api = await useApp()
    const { id: use_dashboard } = await createDashboard(api, FULL)
    const { id } = await createDashboard(api, sent ?? { use_dashboard })
    const before = await readAll(api)
    const read = (await api.get(pathOf(id, '?refresh=force_cache'))).body

    const { status, body } = await api.patch(pathOf(id), read)

    expect(status).toBe(200)
    expect(body).toEqual(read)
    expect(await readAll(api)).toEqual(before)
  })

  it('accepts a dashboard as another member reads it, and logs no change', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, FULL)
    const member = await api.as({})
    const { restriction_level: _, ...read } = (await member.get(pathOf(id, '?refresh=force_cache')))
      .body

    const { body } = await member.patch(pathOf(id), read)

    expect(body).toMatchObject(read)
    expect((await api.get(pathOf(id, '/activity'))).body.count).toBe(1)
  })

  it('trims and dedupes tags as on create', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, FULL)

    const { body } = await api.patch(pathOf(id), { tags: [' b ', '', 'B', 'b'] })

    expect(body.tags).toEqual(['b', 'B'])
  })

  it('ignores the origin, unknown and read-only fields', async () => {
    const api = await useApp()
    const before = await createDashboard(api, FULL)
    const sent = {
      id: 9,
      created_at: '2000-01-01T00:00:00Z',
      created_by: null,
      is_shared: true,
      creation_mode: 'duplicate',
      effective_privilege_level: 21,
      unknown: 1,
      use_template: 'NO_SUCH',
      delete_insights: true,
      duplicate_tiles: true,
    }

    const { status, body } = await api.patch(pathOf(before.id), sent)

    expect(status).toBe(200)
    expect(body).toEqual(before)
    expect((await api.patch(pathOf(before.id), { use_dashboard: 404 })).body).toEqual(before)
  })

  it.each([
    [{ name: 7 }, 'invalid_input', 'name'],
    [{ description: null }, 'null', 'description'],
    [{ name: 'x'.repeat(401) }, 'max_length', 'name'],
    [{ description: false }, 'invalid_input', 'description'],
    [{ pinned: 'true' }, 'invalid_input', 'pinned'],
    [{ deleted: 1 }, 'invalid_input', 'deleted'],
    [{ use_dashboard: 'x' }, 'invalid_input', 'use_dashboard'],
    [{ use_template: 'a', use_dashboard: 1 }, 'invalid_input', null],
    [{ tags: [7] }, 'invalid_input', 'tags__0'],
    [{ restriction_level: 99 }, 'invalid_choice', 'restriction_level'],
    [{ filters: 'x' }, 'not_a_dict', 'filters'],
    [{ filters: null }, 'null', 'filters'],
    [{ tiles: [{ id: 'x' }] }, 'invalid_input', 'tiles__0__id'],
    [[], 'invalid_input', null],
  ])('refuses %j and changes nothing', async (patch, code, attr) => {
    const api = await useApp()
    const { id } = await createDashboard(api, FULL)
    const before = await readAll(api)

    const response = await api.patch(
      pathOf(id),
      Array.isArray(patch) ? patch : { ...FULL, ...patch },
    )

    expect(response).toMatchObject({ status: 400, body: { code, attr } })
    expect(await readAll(api)).toEqual(before)
  })

  it.each(['2', '0', 'x', '1.5', '-1', '99999999999999999999', '%00', '9007199254740991'])(
    'responds 404 for dashboard %s',
    async (id) => {
      const api = await useApp()
      await createDashboard(api)

      const responses = [await api.get(pathOf(id)), await api.patch(pathOf(id), { name: 'x' })]

      for (const { status, body } of responses) {
        expect(status).toBe(404)
        expect(body).toMatchObject({ code: 'not_found', detail: 'Not found.', attr: null })
      }
    },
  )

  it.each(['a dashboard', '404', 'x'])('rejects DELETE of %s without a body', async (which) => {
    const api = await useApp()
    const { id: existing } = await createDashboard(api)
    const id = which === 'a dashboard' ? existing : which
    const before = await readAll(api)

    const { status, text, headers } = await api.delete(pathOf(id))

    expect([status, text, headers.get('content-type')]).toEqual([405, '', null])
    expect(headers.get('allow')).toBe('GET, HEAD, PATCH, OPTIONS')
    expect(await readAll(api)).toEqual(before)
  })

  it('rejects DELETE with any body', async () => {
    const api = await useApp()

    const { status, text } = await api.request('DELETE', pathOf(1), '{"not json')

    expect([status, text]).toEqual([405, ''])
  })

  it.each([
    ['PUT', 'a dashboard', 'GET, HEAD, PATCH, OPTIONS'],
    ['POST', 'a dashboard', 'GET, HEAD, PATCH, OPTIONS'],
    ['PATCH', 'the list', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', 'the list', 'GET, HEAD, POST, OPTIONS'],
  ])('does not allow %s on %s', async (method, where, allow) => {
    const api = await useApp()
    const { id } = await createDashboard(api, FULL)
    const path = where === 'the list' ? DASHBOARDS : pathOf(id)

    const { status, body, headers } = await api.request(method, path, { name: 'x' })

    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allow)
    expect(body).toMatchObject({
      code: 'method_not_allowed',
      detail: `Method "${method}" not allowed.`,
    })
    expect((await api.get(pathOf(id))).body.name).toBe('Sales')
  })
})
