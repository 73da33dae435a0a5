import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { createInsight, INSIGHTS, insightPath } from '../../../../test/support/data/insights.ts'

const NO_EDIT = "You don't have edit permissions for this dashboard."
const NO_EDIT_WHERE_SHOWN =
  "You don't have edit permissions for a dashboard that shows this insight."

/** A member's restricted dashboard with an insight, and two more members, one of whom can edit it. */
async function start() {
  const api = await useApp()
  const creator = await api.as({})
  const { id: dashboard } = await createDashboard(creator, { restriction_level: 37 })
  const insight = await createInsight(creator, { name: 'Visits', dashboards: [dashboard] })
  const [editor, member] = [await api.as({}), await api.as({})]
  const invitation = { user_uuid: editor.uuid, level: 37 }
  await creator.post(pathOf(dashboard, '/collaborators'), invitation)
  return { api, creator, editor, member, dashboard, path: insightPath(insight.id), insight }
}

describe('rights on an insight', () => {
  it('let everyone edit while no dashboard that shows it is restricted', async () => {
    const api = await useApp()
    const { id: dashboard } = await createDashboard(api)
    const { id } = await createInsight(api, { dashboards: [dashboard] })
    const member = await api.as({})

    const { status, body } = await member.patch(insightPath(id), { name: 'Mine' })

    expect(status).toBe(200)
    expect(body).toMatchObject({ effective_restriction_level: 21, effective_privilege_level: 37 })
  })

  it.each(['creator', 'editor', 'api'] as const)(
    'let the %s edit on a restricted dashboard',
    async (who) => {
      const { path, ...people } = await start()

      const { status, body } = await people[who].patch(path, { name: 'Costs' })

      expect(status).toBe(200)
      expect(body).toMatchObject({ effective_restriction_level: 37, effective_privilege_level: 37 })
    },
  )

  it.each([{ name: 'x' }, { deleted: true }, { favorited: true }, { dashboards: [] }, {}])(
    'do not let another member send %j on a restricted dashboard',
    async (sent) => {
      const { member, path } = await start()
      const before = (await member.get(path)).body

      const { status, body } = await member.patch(path, sent)

      expect({ status, detail: body.detail }).toEqual({ status: 403, detail: NO_EDIT_WHERE_SHOWN })
      expect((await member.get(path)).body).toEqual(before)
      expect(before).toMatchObject({
        effective_restriction_level: 37,
        effective_privilege_level: 21,
      })
    },
  )

  it('stay restricted when the dashboard is trashed or the insight is on another too', async () => {
    const { creator, member, path, dashboard } = await start()
    await createDashboard(member, { use_dashboard: dashboard })
    await creator.patch(pathOf(dashboard), { deleted: true })

    expect((await member.patch(path, { name: 'x' })).status).toBe(403)
  })

  it('are unrestricted after the tile is deleted', async () => {
    const { creator, member, path } = await start()
    await creator.patch(path, { dashboards: [] })

    expect((await member.patch(path, { name: 'x' })).status).toBe(200)
  })

  it('require edit rights on a dashboard to add or remove an insight', async () => {
    const { member, dashboard } = await start()
    const own = await createDashboard(member)
    const { id } = await createInsight(member, { name: 'Own', dashboards: [own.id] })

    const made = await member.post(INSIGHTS, { dashboards: [own.id, dashboard] })
    const moved = await member.patch(insightPath(id), { name: 'x', dashboards: [dashboard] })

    for (const { status, body } of [made, moved]) {
      expect({ status, detail: body.detail }).toEqual({ status: 403, detail: NO_EDIT })
    }
    expect((await member.get(INSIGHTS)).body.count).toBe(2)
    expect((await member.get(insightPath(id))).body).toMatchObject({
      name: 'Own',
      dashboards: [own.id],
    })
  })

  it('let viewers copy it', async () => {
    const { member, path } = await start()

    const { status, body } = await member.post(`${path}/duplicate`)

    expect(status).toBe(201)
    expect((await member.patch(insightPath(body.id), { name: 'Mine' })).status).toBe(200)
  })

  it('require insight:write to write', async () => {
    const { api, path } = await start()
    const reader = await api.as({ scopes: ['insight:read', 'dashboard:write'] })

    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.patch(path, { name: 'x' })).status).toBe(403)
    expect((await reader.post(INSIGHTS, {})).status).toBe(403)
    expect((await reader.post(`${path}/duplicate`)).status).toBe(403)
  })
})
