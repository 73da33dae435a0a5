import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { ALERTS, above, startAlertApp, useAlert } from '../../../../test/support/data/alerts.ts'
import { createInsight } from '../../../../test/support/data/insights.ts'

const NOWHERE = '00000000-0000-4000-8000-000000000000'

const WEB = { kind: 'WebOverviewQuery', dateRange: { date_from: '-7d' } }
const COMPARING = { ...WEB, compareFilter: { compare: true } }

describe('alerts', () => {
  it('are created with defaults and read back without their secret', async () => {
    const api = await startAlertApp()

    const { signing_secret, ...created } = await api.createAlert({ name: undefined })

    expect(signing_secret).toMatch(/^whsec_\w{43}$/)
    expect(created).toMatchObject({
      insight: { id: api.insight.id, short_id: api.insight.short_id, name: 'Orders' },
      name: 'Orders',
      resource_name: 'Orders',
      enabled: true,
      config: {},
      calculation_interval: 'hourly',
      snoozed_until: null,
      state: 'Not firing',
      last_checked_at: null,
      last_value: null,
      created_by: { id: 1 },
    })
    const read = await api.get(`${ALERTS}/${created.id}`)
    expect(read.body).toEqual(created)
    expect((await api.get(ALERTS)).body.results).toEqual([created])
  })

  it('can be listed by insight', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()
    const listIds = async (insight: number) =>
      (await api.get(`${ALERTS}?insight=${insight}`)).body.results.map(
        (each: { id: string }) => each.id,
      )

    expect(await listIds(api.insight.id)).toEqual([id])
    expect(await listIds(api.insight.id + 1)).toEqual([])
    expect((await api.get(`${ALERTS}?offset=50`)).body).toMatchObject({ count: 1, results: [] })
  })

  it('change only the given fields and log the change', async () => {
    const api = await startAlertApp()
    const { id, signing_secret: _, ...before } = await api.createAlert()

    const { body } = await api.patch(`${ALERTS}/${id}`, { name: 'Other', enabled: false })
    expect(before.next_check_at).toEqual(expect.any(String))

    expect(body).toEqual({ id, ...before, name: 'Other', enabled: false, next_check_at: null })
    const { body: log } = await api.get(`${ALERTS}/${id}/activity`)
    expect(log.results).toMatchObject([
      {
        activity: 'updated',
        item_id: id,
        detail: { name: 'Other', changes: [{ field: 'name' }, { field: 'enabled' }] },
      },
      { activity: 'created' },
    ])
  })

  it('log nothing if nothing changes', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()

    await api.patch(`${ALERTS}/${id}`, { ...above(2), name: 'Many orders', snoozed_until: null })

    expect((await api.get(`${ALERTS}/${id}/activity`)).body.count).toBe(1)
  })

  it('are deleted with their deliveries', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()
    await api.post(`${ALERTS}/${id}/test`)

    expect((await api.delete(`${ALERTS}/${id}`)).status).toBe(204)

    expect((await api.get(`${ALERTS}/${id}`)).status).toBe(404)
    expect(await api.db.selectFrom('deliveries').selectAll().execute()).toEqual([])
  })

  it('hide the secret and the path of a webhook from the activity log', async () => {
    const api = await startAlertApp()
    const url = 'https://hooks.example.com/services/T0/hunter2'
    const created = await api.createAlert({ targets: [{ type: 'webhook', url }] })
    const path = `${ALERTS}/${created.id}`

    const original = await api.db.selectFrom('alerts').selectAll().execute()
    const rotated = (await api.post(`${path}/rotate_secret`)).body.signing_secret
    await api.patch(path, { targets: [{ type: 'webhook', url: 'https://b.example.com/hunter2' }] })

    expect(rotated).not.toBe(created.signing_secret)
    const rows = await api.db
      .selectFrom('activity')
      .selectAll()
      .where('scope', '=', 'Alert')
      .execute()
    const stored = await api.db.selectFrom('alerts').selectAll().execute()
    const responses = [
      await api.get(path),
      await api.get(ALERTS),
      await api.patch(path, { name: 'x' }),
    ]
    const seen = JSON.stringify([rows, original, stored, responses.map(({ text }) => text)])
    expect(seen).not.toContain(created.signing_secret)
    expect(seen).not.toContain(rotated)
    expect(JSON.stringify(rows)).not.toContain('hunter2')
    expect(rows.map(({ activity }) => activity)).toEqual(['created', 'secret rotated', 'updated'])
  })

  it('are not found in another project', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()
    const elsewhere = `/api/projects/${await api.createProject()}/alerts`

    expect((await api.get(elsewhere)).body.count).toBe(0)
    for (const path of [`${elsewhere}/${id}`, `${ALERTS}/${NOWHERE}`, `${ALERTS}/1`]) {
      expect((await api.get(path)).status).toBe(404)
      expect((await api.patch(path, { name: 'x' })).status).toBe(404)
      expect((await api.post(`${path}/rotate_secret`)).status).toBe(404)
      expect((await api.delete(path)).status).toBe(404)
    }
    expect((await api.get(`${ALERTS}/${id}`)).body.name).toBe('Many orders')
  })

  it("cannot watch another project's insight", async () => {
    const api = await startAlertApp()
    const elsewhere = `/api/projects/${await api.createProject()}/alerts`
    const targets = [{ type: 'webhook', url: 'https://example.com' }]

    const response = await api.post(elsewhere, { insight: api.insight.id, targets, ...above(1) })

    expect(response).toMatchObject({
      status: 400,
      body: { code: 'does_not_exist', attr: 'insight' },
    })
  })

  it('require alert:write to write', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()
    const reader = await api.as({ scopes: ['alert:read'] })

    expect((await reader.get(`${ALERTS}/${id}/deliveries`)).status).toBe(200)
    expect((await reader.patch(`${ALERTS}/${id}`, { name: 'x' })).status).toBe(403)
    expect((await reader.post(`${ALERTS}/${id}/rotate_secret`)).status).toBe(403)
    expect((await reader.post(`${ALERTS}/${id}/test`)).status).toBe(403)
  })
})

describe('alert validation', () => {
  const webhook = (url: string) => ({ targets: [{ type: 'webhook', url }] })
  const configured = (type: string, bounds: object) => ({
    threshold: { configuration: { type, bounds } },
  })

  it.each([
    ['without targets', { targets: [] }, 'targets'],
    [
      'with too many targets',
      { targets: Array(11).fill({ type: 'webhook', url: 'https://a.b' }) },
      'targets',
    ],
    ['without an address', { targets: [{ type: 'webhook' }] }, 'targets__0__url'],
    ['with a relative address', webhook('/hook'), 'targets__0__url'],
    ['with an FTP address', webhook('ftp://example.com'), 'targets__0__url'],
    ['with a password in the address', webhook('https://a:b@example.com'), 'targets__0__url'],
    ['with a private address', webhook('http://10.0.0.1/'), 'targets__0__url'],
    ['with an obfuscated private address', webhook('http://0x7f.2/'), 'targets__0__url'],
    ['with a private IPv6 address', webhook('http://[::ffff:10.0.0.1]/'), 'targets__0__url'],
    ['with the metadata address of a cloud', webhook('http://169.254.169.254/'), 'targets__0__url'],
    [
      'with e-mail although the server has none',
      { targets: [{ type: 'email', address: 'a@b.c' }] },
      'targets__0__type',
    ],
    ['without bounds', configured('absolute', {}), 'threshold__configuration__bounds'],
    [
      'with null bounds',
      configured('absolute', { lower: null }),
      'threshold__configuration__bounds',
    ],
    [
      'with swapped bounds',
      configured('absolute', { lower: 2, upper: 1 }),
      'threshold__configuration__bounds',
    ],
    [
      'with a percentage of an absolute value',
      configured('percentage', { upper: 1 }),
      'threshold__configuration__type',
    ],
    ['with an unknown condition', { condition: { type: 'x' } }, 'condition__type'],
    ['with an unknown interval', { calculation_interval: 'x' }, 'calculation_interval'],
    ['with an unknown insight', { insight: 987654 }, 'insight'],
    ['with a negative series index', { config: { series_index: -1 } }, 'config__series_index'],
    ['with a snooze that is not a time', { snoozed_until: 'soon' }, 'snoozed_until'],
    ['with a snooze in a leap second', { snoozed_until: '2026-06-30T23:59:60Z' }, 'snoozed_until'],
  ])('rejects an alert %s and changes nothing', async (_, body, attr) => {
    const { alert: id, ...api } = await useAlert()
    const before = (await api.get(`${ALERTS}/${id}`)).body

    const patched = await api.patch(`${ALERTS}/${id}`, body)
    const complete = { insight: api.insight.id, ...above(1), ...webhook('https://a.b'), ...body }
    const created = await api.post(ALERTS, complete)

    expect(patched).toMatchObject({ status: 400, body: { attr } })
    expect(created).toMatchObject({ status: 400, body: { attr } })
    expect((await api.get(ALERTS)).body.results).toEqual([before])
  })

  it('rejects an insight without a query', async () => {
    const api = await useApp()
    const insight = await createInsight(api, { query: {} })

    const body = { insight: insight.id, ...above(1), ...webhook('https://a.b') }
    const { status, body: response } = await api.post(ALERTS, body)

    expect({ status, attr: response.attr }).toEqual({ status: 400, attr: 'insight' })
    expect(response.detail).toContain('An alert cannot watch an insight without a query')
  })

  it.each([
    ['relative_increase', { kind: 'HogQLQuery', query: 'select 1' }, 'this is a HogQLQuery'],
    ['relative_decrease', { kind: 'PathsQuery' }, 'this is a PathsQuery'],
    ['relative_decrease', WEB, 'no previous period to compare with'],
    ['anomaly', COMPARING, 'values over time that an anomaly needs'],
  ])('rejects %s of %j', async (type, query, detail) => {
    const api = await useApp()
    const insight = await createInsight(api, { query })
    const limits = type === 'anomaly' ? {} : above(1)

    const body = { insight: insight.id, ...limits, condition: { type }, ...webhook('https://a.b') }

    expect(await api.post(ALERTS, body)).toMatchObject({
      status: 400,
      body: { attr: 'condition__type', detail: expect.stringContaining(detail) },
    })
  })

  it('compares web figures with the previous period that they show', async () => {
    const api = await useApp()
    const insight = await createInsight(api, { query: COMPARING })
    const condition = { type: 'relative_decrease' }

    const body = { insight: insight.id, ...above(1), condition, ...webhook('https://a.b') }

    expect((await api.post(ALERTS, body)).status).toBe(201)
  })
})
