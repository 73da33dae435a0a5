import fc from 'fast-check'
import { expect } from 'vitest'
import { startApp, type TestApp } from '../support/app/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { requireValidResponse } from '../support/app/responses.ts'
import { targetsOf } from './hostile.ts'
import { type RawRequest, send } from './raw.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'
import { createWorld, toAlias } from './world.ts'

export const AUTHORIZED = { authorization: `Bearer ${OWNER.apiKey}` }

export async function start() {
  const api = await startApp()
  const world = await createWorld(api)
  const document = api.app.openApiDocument()
  return { api, world, targets: targetsOf(document), schemas: document.components.schemas }
}

/**
 * Creates a function that sends a request and checks the response: it is documented, it is not a 5xx, and a refused
 * request has changed nothing.
 */
export function createChecker(api: TestApp) {
  let before: Snapshot | undefined
  return async (request: RawRequest) => {
    before ??= await readSnapshot(api.db)
    const response = await send(api.url, request)
    const isJson = String(response.headers['content-type']).includes('json') && response.text !== ''
    const body = isJson ? JSON.parse(response.text) : undefined
    expect(response.status, response.text).toBeLessThan(500)
    requireValidResponse(api.app, request.method, request.path, { ...response, body })
    if (response.status < 400) before = undefined
    else expect(await readSnapshot(api.db)).toEqual(before)
  }
}

export const either = (path: string) =>
  path.includes('{project_id}') ? fc.constantFrom(path, toAlias(path)) : fc.constant(path)

export async function requireAlive({ url, get }: TestApp) {
  expect((await send(url, { method: 'GET', path: '/_ready' })).status).toBe(200)
  expect((await get('/api/environments/1/dashboards')).status).toBe(200)
}
