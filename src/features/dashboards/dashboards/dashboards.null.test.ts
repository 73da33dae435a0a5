import { describe, expect, it } from 'vitest'
import { DASHBOARDS, useApp } from '../../../../test/support/app/app.ts'

const NOTHING = { name: null, variables: null, tiles: null, use_dashboard: null }

describe('null in the body of a dashboard', () => {
  it('means not given on create', async () => {
    const api = await useApp()

    const { status, body } = await api.post(DASHBOARDS, NOTHING)

    expect(status).toBe(201)
    expect(body).toMatchObject({ name: '', variables: {}, tiles: [] })
  })

  it('means the default on update, and keeps the tiles', async () => {
    const api = await useApp()
    const given = { name: 'A', variables: { v: { value: 1 } }, tiles: [{ text: { body: 'T' } }] }
    const { body: created } = await api.post(DASHBOARDS, given)

    const { status, body } = await api.patch(`${DASHBOARDS}/${created.id}`, NOTHING)

    expect(status).toBe(200)
    expect(body).toMatchObject({ name: '', variables: {}, tiles: [{ text: { body: 'T' } }] })
  })
})
