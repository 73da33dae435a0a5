import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { listActivity } from '../../../../test/support/data/activity.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'

const REARRANGE = `${CONFIGS}/rearrange`

interface Ordered {
  readonly id: number
  readonly order: number
}

interface AppWithThree extends TestApp {
  readonly ids: readonly number[]
  /** Sends the body with the IDs of the configs in place of `#1`, `#2` and `#3`. */
  rearrange(body: object | undefined, path?: string): ReturnType<TestApp['patch']>
  /** Returns the number of the config, from 1 to 3, and its order. */
  ordersOf(configs: Ordered[]): [number, number][]
}

/** Starts with configs of plugins 4, 4 and 2, in this order. */
async function startWithThree(): Promise<AppWithThree> {
  const api = await useApp()
  const ids: number[] = []
  for (const plugin of [4, 4, 2]) ids.push((await createConfig(api, { plugin })).id)
  const withIds = (body: object) =>
    JSON.stringify(body).replace(/#(\d)/g, (_, number) => String(ids[number - 1]))
  return {
    ...api,
    ids,
    rearrange: (body, path = REARRANGE) => api.patch(path, body && withIds(body)),
    ordersOf: (configs) => configs.map(({ id, order }) => [ids.indexOf(id) + 1, order]),
  }
}

describe('rearranging configs', () => {
  it('moves the given configs and returns all in their new order', { tags: 'sql' }, async () => {
    const api = await startWithThree()

    const { status, body } = await api.rearrange({ orders: { '#1': 9, '#3': -1 } })

    expect(status).toBe(200)
    expect(api.ordersOf(body)).toEqual([
      [3, -1],
      [2, 1],
      [1, 9],
    ])
    expect((await api.get(CONFIGS)).body.results).toEqual(body)
  })

  it('moves every config of a plugin', { tags: 'sql' }, async () => {
    const api = await startWithThree()

    const { body } = await api.rearrange({ plugin: 4, order: 7 })

    expect(api.ordersOf(body)).toEqual([
      [3, 2],
      [1, 7],
      [2, 7],
    ])
  })

  it('prefers orders to plugin and order', async () => {
    const api = await startWithThree()

    const { body } = await api.rearrange({ orders: { '#2': 5 }, plugin: 2, order: 9 })

    expect(api.ordersOf(body)).toEqual([
      [1, 0],
      [3, 2],
      [2, 5],
    ])
  })

  it.each([[undefined], [{}], [{ orders: {} }], [{ plugin: 4 }], [{ order: 3 }], [{ name: 'x' }]])(
    'changes nothing for %j',
    async (body) => {
      const api = await startWithThree()
      const { body: before } = await api.get(CONFIGS)

      const response = await api.rearrange(body)

      expect(response).toMatchObject({ status: 200, body: before.results })
      expect(await listActivity(api)).toHaveLength(3)
    },
  )

  it('moves configs in the trash, but does not return them', async () => {
    const api = await startWithThree()
    await api.patch(`${CONFIGS}/${api.ids[0]}`, { deleted: true })

    const { body } = await api.rearrange({ orders: { '#1': 5 } })

    expect(api.ordersOf(body)).toEqual([
      [2, 1],
      [3, 2],
    ])
    expect((await api.get(`${CONFIGS}/${api.ids[0]}`)).body.order).toBe(5)
  })

  it('logs each config that moved', async () => {
    const api = await startWithThree()

    await api.rearrange({ orders: { '#1': 0, '#2': 8 } })

    const activities = await listActivity(api)
    const moves = activities.filter(({ activity }) => activity === 'order_changed')
    expect(moves.map(({ item_id }) => item_id)).toEqual([api.ids[1]])
    expect(JSON.parse(moves[0]?.detail ?? '')).toMatchObject({
      name: 'Demo data',
      changes: [{ type: 'Plugin', action: 'changed', field: 'order', before: 1, after: 8 }],
    })
  })

  it.each([
    ['orders', { orders: null }, 'null'],
    ['orders', { orders: [1, 2] }, 'not_a_dict'],
    ['orders', { orders: '{}' }, 'not_a_dict'],
    ['orders', { orders: { '#1': 5, '#2': '6' } }, 'invalid_input'],
    ['orders', { orders: { '#1': 5, '#2': 1.5 } }, 'invalid_input'],
    ['orders', { orders: { '#1': 5, '#2': null } }, 'invalid_input'],
    ['orders', { orders: { '#1': 5, '#2': 2 ** 31 } }, 'max_value'],
    ['orders', { orders: { '#1': 5, '#2': -(2 ** 31) - 1 } }, 'min_value'],
    ['orders', { orders: { '#1': 5, 4: 6 } }, 'does_not_exist'],
    ['orders', { orders: { '#1': 5, x: 6 } }, 'does_not_exist'],
    ['orders', { orders: { '#1': 5, '0#2': 6 } }, 'does_not_exist'],
    ['orders', { orders: { '#1': 5, ['__proto__']: 6 } }, 'does_not_exist'],
    ['plugin', { plugin: 99, order: 6 }, 'does_not_exist'],
    ['plugin', { orders: { '#1': 5 }, plugin: 'x' }, 'invalid_input'],
    ['order', { plugin: 4, order: 2 ** 31 }, 'max_value'],
  ])('is refused for %s in %j and moves nothing', async (attr, body, code) => {
    const api = await startWithThree()
    const { body: before } = await api.get(CONFIGS)

    const refused = await api.rearrange(body)

    expect(refused).toMatchObject({ status: 400, body: { attr, code } })
    expect((await api.get(CONFIGS)).body).toEqual(before)
  })

  it("does not move another project's configs", async () => {
    const api = await startWithThree()
    const theirs = api.path(CONFIGS, await api.createProject())

    const byId = await api.rearrange({ orders: { '#1': 5 } }, `${theirs}/rearrange`)
    const byPlugin = await api.patch(`${theirs}/rearrange`, { plugin: 4, order: 5 })

    expect(byId).toMatchObject({ status: 400, body: { attr: 'orders' } })
    expect(byPlugin).toMatchObject({ status: 400, body: { attr: 'plugin' } })
    expect((await api.get(`${CONFIGS}/${api.ids[0]}`)).body.order).toBe(0)
  })
})
