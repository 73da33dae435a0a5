import { describe, expect, it } from 'vitest'
import { useApp } from '../../test/support/app/app.ts'

describe('limit on the values in a body', () => {
  it.each([
    ['objects', `{"tags":[${'{},'.repeat(40_000)}{}]}`],
    ['numbers', `{"tags":[${'1,'.repeat(40_000)}1]}`],
    ['fields', `{${Array.from({ length: 40_002 }, (_, index) => `"${index}":1`)}}`],
  ])('counts %s', async (_, body) => {
    const { url, post } = await useApp()

    const signIn = await fetch(`${url}/api/sign_in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const created = await post('dashboards', JSON.parse(body))

    const error = {
      code: 'request_too_large',
      detail: 'The request body holds more than 40,000 values.',
    }
    expect([signIn.status, created.status]).toEqual([413, 413])
    expect(await signIn.json()).toMatchObject(error)
    expect(created.body).toMatchObject(error)
  })

  it('ignores brackets and commas inside strings', async () => {
    const { post } = await useApp()
    const description = '[{"a":1},'.repeat(44)
    const variables = { note: '[,{,"\\",'.repeat(20_000) }

    const created = await post('dashboards', { description, variables })

    expect(created).toMatchObject({ status: 201, body: { variables } })
  })
})
