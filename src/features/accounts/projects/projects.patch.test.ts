import { describe, expect, it } from 'vitest'
import { PROJECT, startApp, useApp } from '../../../../test/support/app/app.ts'

describe('patching a project', () => {
  it('changes only the given fields and logs them', async () => {
    const api = await startApp()
    const { body: before } = await api.get(PROJECT)
    expect(before.retention_days).toBeNull()

    const { status, body } = await api.patch(PROJECT, { retention_days: 90 })
    await api.patch('/api/projects/@current', { name: ' Shop ', timezone: 'Europe/Berlin' })
    await api.patch(PROJECT, {})

    expect([status, body]).toEqual([200, { ...before, retention_days: 90 }])
    expect((await api.get(PROJECT)).body).toEqual({
      ...before,
      retention_days: 90,
      name: 'Shop',
      timezone: 'Europe/Berlin',
    })
    const log = await api.db.selectFrom('activity').select('detail').orderBy('id').execute()
    const fields = log.map(({ detail }) =>
      JSON.parse(detail).changes.map(({ field }: { field: string }) => field),
    )
    expect(fields).toEqual([['retention_days'], ['name', 'timezone']])
  })

  it('can clear the retention', async () => {
    const api = await useApp()
    await api.patch(PROJECT, { retention_days: 1 })

    await api.patch(PROJECT, { retention_days: null })

    expect((await api.get(PROJECT)).body.retention_days).toBeNull()
  })

  it.each([
    ['retention_days', 0],
    ['retention_days', 36_501],
    ['retention_days', 1.5],
    ['retention_days', '30'],
    ['name', ''],
    ['name', '  '],
    ['name', 'x'.repeat(401)],
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+01:00'],
    ['timezone', null],
  ])('rejects %s %j and changes nothing', async (attr, value) => {
    const api = await useApp()
    const { body: before } = await api.get(PROJECT)

    const sent = { name: 'Other', [attr]: value }

    expect(await api.patch(PROJECT, sent)).toMatchObject({ status: 400, body: { attr } })
    expect((await api.get(PROJECT)).body).toEqual(before)
  })

  it('requires an admin with access to the project', async () => {
    const api = await useApp()
    const other = await api.createProject()
    const member = await api.as({})
    const limited = await api.as({ level: 8, projects: [other] })

    expect((await member.patch(PROJECT, { name: 'x' })).status).toBe(403)
    expect((await limited.patch(PROJECT, { name: 'x' })).status).toBe(404)
    expect((await limited.patch(`/api/projects/${other}`, { name: 'x' })).status).toBe(200)
    expect((await api.patch('/api/projects/987', { name: 'x' })).status).toBe(404)
  })
})
