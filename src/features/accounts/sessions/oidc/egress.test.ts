import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from '../../../../../test/support/app/app.ts'
import { OWNER } from '../../../../../test/support/app/owner.ts'
import {
  type OidcEndpoints,
  startOidcProvider,
} from '../../../../../test/support/servers/oidc-provider.ts'

/** Visits a page with the cookies of the last one, without following redirects. */
const visit = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } })

/** Signs in at a provider with these endpoints and returns where the browser ends. */
async function signIn(endpoints: OidcEndpoints, env: Record<string, string> = {}) {
  const provider = await startOidcProvider(endpoints)
  provider.behave({ claims: { email: OWNER.email, email_verified: true } })
  const api = await startApp(undefined, { ...provider.env, ...env })
  const out = await visit(`${api.url}/sign-in/oidc`)
  const there = await visit(out.headers.get('location') ?? '')
  const [cookie] = (out.headers.get('set-cookie') ?? '').split(';', 1)
  const home = await visit(there.headers.get('location') ?? '', cookie)
  return home.headers.get('location')
}

/** A private service beside the provider, at another origin. */
async function startNeighbor() {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.writeHead(400).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, countRequests: () => requests }
}

const FAILED = '/sign-in?problem=failed'

describe('requests to an OIDC provider', () => {
  it('reach a private issuer, because the operator named it', async () => {
    expect(await signIn({})).toBe('/')
  })

  it.each(['token_endpoint', 'jwks_uri'])('do not reach a private %s elsewhere', async (field) => {
    const neighbor = await startNeighbor()

    expect(await signIn({ metadata: { [field]: `${neighbor.url}/x` } })).toBe(FAILED)
    expect(neighbor.countRequests()).toBe(0)
  })

  it('reach a private endpoint that the operator allows', async () => {
    const neighbor = await startNeighbor()
    const metadata = { token_endpoint: `${neighbor.url}/x` }

    await signIn({ metadata }, { HEDGEROW_APP_HOSTS: '127.0.0.1' })

    expect(neighbor.countRequests()).toBe(1)
  })

  it('do not follow redirects', async () => {
    const neighbor = await startNeighbor()
    const sendKeys: OidcEndpoints['sendKeys'] = (response) =>
      response.writeHead(302, { location: neighbor.url }).end()

    expect(await signIn({ sendKeys }, { HEDGEROW_APP_HOSTS: '127.0.0.1' })).toBe(FAILED)
    expect(neighbor.countRequests()).toBe(0)
  })

  it('refuse a response that is too large', async () => {
    const sendPadded =
      (length: number): OidcEndpoints['sendKeys'] =>
      (response, keys) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(' '.repeat(length) + JSON.stringify(keys))

    expect(await signIn({ sendKeys: sendPadded(1024) })).toBe('/')
    expect(await signIn({ sendKeys: sendPadded(1024 * 1024) })).toBe(FAILED)
  })
})
