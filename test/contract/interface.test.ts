import { expect, it } from 'vitest'
import { startApp, useApp } from '../support/app/app.ts'
import { INTERFACE, type Operation, toTemplate } from './operations.ts'
import { DASHBOARDS } from './paths.ts'
import { createWorld, fillPath, toAlias } from './world.ts'

const ADDRESSES: Readonly<Record<string, (path: string) => string>> = {
  'as the document writes it': (path) => path,
  'with a trailing slash': (path) => `${path}/`,
  'at its other address': toAlias,
  'at its other address with a trailing slash': (path) => `${toAlias(path)}/`,
}

const isDelete = ({ method }: Operation) => Number(method === 'DELETE')
const nameOf = ({ name, method, path }: Operation) => `${name}: ${method} ${path}`

it('covers the nineteen operations of the interface document', () => {
  expect(new Set(INTERFACE.map(({ method, path }) => `${method} ${path}`)).size).toBe(19)
})

it.each(Object.entries(ADDRESSES))('serves each operation at its URL %s', async (_, toAddress) => {
  const api = await startApp()
  const world = await createWorld(api)
  const responses: Record<string, unknown> = {}

  for (const operation of INTERFACE.toSorted((a, b) => isDelete(a) - isDelete(b))) {
    const { method, path, sends } = operation
    const got = await api.request(method, toAddress(fillPath(path, world)), sends?.(world))
    responses[nameOf(operation)] = {
      status: got.status,
      response: got.body,
      isEmpty: got.text === '',
    }
  }

  const expected = INTERFACE.map((operation) => {
    const { status, response } = operation
    return [nameOf(operation), { status, response, isEmpty: response === undefined }]
  })
  expect(responses).toEqual(Object.fromEntries(expected))
})

it('documents each operation in OpenAPI with its scope and status', async () => {
  const { app } = await useApp()

  const { paths } = app.openApiDocument()

  for (const operation of INTERFACE) {
    const { method, path, scope, status } = operation
    const described = paths[toTemplate(path)]?.[method.toLowerCase()]
    expect(described?.security, nameOf(operation)).toEqual([{ personalApiKey: [scope] }])
    expect(Object.keys(described?.responses ?? {}), nameOf(operation)).toContain(String(status))
  }
})

it('links to the previous and next page', async () => {
  const api = await startApp()
  for (const name of ['a', 'b', 'c']) await api.post(DASHBOARDS, { name })

  const { body } = await api.get(`${DASHBOARDS}?limit=1&offset=1`)

  expect(Object.keys(body)).toEqual(['count', 'next', 'previous', 'results'])
  expect(body).toMatchObject({
    count: 3,
    next: `${api.url}${DASHBOARDS}?limit=1&offset=2`,
    previous: `${api.url}${DASHBOARDS}?limit=1`,
    results: [{ name: 'b' }],
  })
})
