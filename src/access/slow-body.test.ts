import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../test/support/app/app.ts'
import { until } from '../../test/support/until.ts'

type Sent = Readonly<Record<string, string>>

/** Sends the headers and the first half of a body, and waits until the server has the headers. */
async function begin(api: TestApp, path: string, method: string, headers: Sent, half: string) {
  const received = once(api.app.server, 'request')
  const sending: ClientRequest = request(api.address(path), { method, headers })
  const responded = new Promise<IncomingMessage>((resolve, reject) =>
    sending.on('response', resolve).on('error', reject),
  )
  sending.write(half)
  await received
  return async (rest: string) => {
    sending.end(rest)
    const response = await responded
    return { status: response.statusCode, body: JSON.parse(await text(response)) }
  }
}

async function removeMember(api: TestApp, uuid: string) {
  const startedAt = performance.now()
  await api.delete(`members/${uuid}`)
  await until(() => performance.now() - startedAt > 600)
}

const keyOf = (key: string) => ({ authorization: `Bearer ${key}` })

describe('a body that arrives after the caller was removed', () => {
  it('changes nothing', async () => {
    const api = await useApp()
    const member = await api.as({})
    const headers = { ...keyOf(member.key), 'content-type': 'application/json' }
    const finish = await begin(api, 'dashboards', 'POST', headers, '{"name":')

    await removeMember(api, member.uuid)

    expect((await finish('"Late"}')).status).toBe(403)
    expect((await api.get('dashboards')).body.count).toBe(0)
  })

  it('attaches no file', async () => {
    const api = await useApp()
    const { body: config } = await api.post(CONFIGS, { plugin: 2 })
    const path = `${CONFIGS}/${config.id}/attachments`
    const member = await api.as({})
    const headers = { ...keyOf(member.key), 'content-type': 'text/csv' }
    const finish = await begin(api, `${path}/file`, 'PUT', headers, 'a,b\n')

    await removeMember(api, member.uuid)

    expect((await finish('1,2\n')).status).toBe(403)
    expect((await api.get(path)).body).toEqual([])
  })
})
