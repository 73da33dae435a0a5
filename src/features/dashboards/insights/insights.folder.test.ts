import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { createInsight, INSIGHTS, insightPath } from '../../../../test/support/data/insights.ts'

const FOLDER = 'Growth/Größe'

describe('the folder of an insight', () => {
  it('is null, or as it was sent', async () => {
    const api = await useApp()

    const plain = await createInsight(api)
    const filed = await createInsight(api, { _create_in_folder: FOLDER })

    expect(plain._create_in_folder).toBe(null)
    expect(filed._create_in_folder).toBe(FOLDER)
    const { body } = await api.get(insightPath(filed.id))
    expect(body._create_in_folder).toBe(FOLDER)
  })

  it.each([null, ''])('is removed by %j, and kept by other changes', async (none) => {
    const api = await useApp()
    const { id } = await createInsight(api, { _create_in_folder: FOLDER })

    const renamed = await api.patch(insightPath(id), { name: 'Signups' })
    const emptied = await api.patch(insightPath(id), { _create_in_folder: none })

    expect(renamed.body._create_in_folder).toBe(FOLDER)
    expect(emptied.body._create_in_folder).toBe(null)
    const { body } = await api.get(insightPath(id, '/activity'))
    expect(body.results[0].detail.changes).toMatchObject([{ field: 'folder', before: FOLDER }])
  })

  it('is found by search, and copied', async () => {
    const api = await useApp()
    await createInsight(api, { name: 'Other' })
    const { id } = await createInsight(api, { name: 'Signups', _create_in_folder: FOLDER })
    const { body: copy } = await api.post(insightPath(id, '/duplicate'))
    await api.patch(insightPath(id), { name: 'New signups' })

    const { body } = await api.get(`${INSIGHTS}?search=${encodeURIComponent('growth/grö')}`)

    expect(body.results.map((each: { id: number }) => each.id).toSorted()).toEqual(
      [id, copy.id].toSorted(),
    )
  })
})
