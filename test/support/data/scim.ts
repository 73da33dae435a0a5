import { createScimToken } from '#server/features/accounts/scim/tokens.ts'
import { startApp, type TestApp, type TestResponse } from '../app/app.ts'

const TYPE = 'application/scim+json'

export interface ScimClient {
  readonly api: TestApp
  readonly token: string
  /** Sends a request below /scim/v2. */
  send(method: string, path: string, body?: unknown): Promise<TestResponse>
}

/** Starts an app with a token of an identity provider. */
export async function startScim(env: Record<string, string> = {}): Promise<ScimClient> {
  const api = await startApp(undefined, env)
  const token = (await createScimToken(api.db, 'Test')).value
  const client = api.withKey(token)
  const send: ScimClient['send'] = (method, path, body) => {
    const headers = body === undefined ? undefined : { 'content-type': TYPE }
    return client.request(method, `/scim/v2${path}`, body, headers)
  }
  return { api, token, send }
}

export const patchOf = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

export const filterOf = (filter: string) => `filter=${encodeURIComponent(filter)}`
