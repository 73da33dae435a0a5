import { describe, expect, it } from 'vitest'
import { CONFIGS, useApp } from '../../../../test/support/app/app.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'

const INTEGER = 'A valid integer is required.'
const STRING = 'Not a valid string.'
const BOOLEAN = 'Must be a valid boolean.'
const NULL = 'This field may not be null.'

const REFUSED: [attr: string, value: unknown, code: string, detail: string][] = [
  ['plugin', null, 'null', NULL],
  ['plugin', '4', 'invalid_input', INTEGER],
  ['plugin', 1.5, 'invalid_input', INTEGER],
  ['plugin', true, 'invalid_input', INTEGER],
  ['plugin', -1, 'min_value', 'Ensure this value is greater than or equal to 0.'],
  ['plugin', 2 ** 53, 'max_value', 'Ensure this value is less than or equal to 9007199254740991.'],
  ['enabled', 'true', 'invalid_input', BOOLEAN],
  ['enabled', 1, 'invalid_input', BOOLEAN],
  ['enabled', null, 'null', NULL],
  ['order', 'x', 'invalid_input', INTEGER],
  ['order', 0.5, 'invalid_input', INTEGER],
  ['order', null, 'null', NULL],
  ['order', 2 ** 31, 'max_value', 'Ensure this value is less than or equal to 2147483647.'],
  [
    'order',
    -(2 ** 31) - 1,
    'min_value',
    'Ensure this value is greater than or equal to -2147483648.',
  ],
  ['name', 7, 'invalid_input', STRING],
  ['name', 'x'.repeat(401), 'max_length', 'Ensure this field has no more than 400 characters.'],
  ['name', 'a\0b', 'null_characters_not_allowed', 'Null characters are not allowed.'],
  ['description', {}, 'invalid_input', STRING],
  [
    'description',
    'x'.repeat(1001),
    'max_length',
    'Ensure this field has no more than 1000 characters.',
  ],
  ['deleted', 'no', 'invalid_input', BOOLEAN],
]

describe('validation of configs', () => {
  it.each(REFUSED)('refuses %s %j', async (attr, value, code, detail) => {
    const api = await useApp()
    const before = await createConfig(api, { plugin: 4, name: 'Before' })

    const created = await api.post(CONFIGS, { plugin: 4, [attr]: value })
    const patched = await api.patch(`${CONFIGS}/${before.id}`, {
      name: 'After',
      order: 5,
      [attr]: value,
    })

    expect(created).toMatchObject({ status: 400, body: { code, detail, attr } })
    expect(patched).toMatchObject({ status: 400, body: { code, detail, attr } })
    expect((await api.get(CONFIGS)).body).toMatchObject({ count: 1, results: [before] })
  })

  it('requires a plugin to create a config', async () => {
    const api = await useApp()

    const missing = [await api.post(CONFIGS, { order: 1 }), await api.post(CONFIGS)]

    for (const response of missing) {
      expect(response).toMatchObject({ status: 400, body: { code: 'required', attr: 'plugin' } })
    }
    expect((await api.get(CONFIGS)).body.count).toBe(0)
  })

  it.each([[[]], ['"text"'], ['null'], ['{"plugin": 4'], ['{"plugin": 4, "order": 1e999}']])(
    'refuses the body %j',
    async (body) => {
      const api = await useApp()

      expect((await api.post(CONFIGS, body)).status).toBe(400)
      expect((await api.get(CONFIGS)).body.count).toBe(0)
    },
  )

  it('accepts names of 400 and descriptions of 1000 characters', async () => {
    const api = await useApp()
    const texts = { name: '𝄞'.repeat(400), description: 'é'.repeat(1000) }

    expect((await api.post(CONFIGS, { plugin: 4, ...texts })).body).toMatchObject(texts)
  })

  it('checks the body before it looks up the config', async () => {
    const api = await useApp()

    expect((await api.patch(`${CONFIGS}/5`, { enabled: 'x' })).status).toBe(400)
    expect((await api.post(`${CONFIGS}/x/job`, { job: null })).status).toBe(400)
    expect((await api.post(`${CONFIGS}/x/migrate`, { order: 'x' })).status).toBe(400)
    expect((await api.patch(`${CONFIGS}/x/settings`, {})).status).toBe(400)
  })

  it.each([
    ['limit', '0'],
    ['limit', 'x'],
    ['offset', '-1'],
    ['deleted', 'maybe'],
  ])('refuses ?%s=%s', async (attr, value) => {
    const api = await useApp()

    expect(await api.get(`${CONFIGS}?${attr}=${value}`)).toMatchObject({
      status: 400,
      body: { attr },
    })
  })
})
