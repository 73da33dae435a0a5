import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp } from '../../../../test/support/app/app.ts'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { CONFIG, SECRET, startReceiving } from '../../../../test/support/app/receiving.ts'

const MIB = 1024 * 1024

describe('a request is refused', () => {
  it.each<[number, string, object, string | Buffer, string]>([
    [401, 'without a signature', { verify: 'github', secret: SECRET }, '{}', ''],
    [401, 'if the secret is missing', { verify: 'stripe' }, '{}', ''],
    [413, 'if it is too large', {}, 'x'.repeat(MIB + 1), ''],
    [413, 'if it is too large once it is unpacked', {}, gzipSync('x'.repeat(MIB + 1)), 'gzip'],
    [415, 'in an unknown encoding', {}, '{}', 'br'],
    [415, 'if it is not packed as it says', {}, '{}', 'gzip'],
    [415, 'if it is not text', {}, Buffer.from([0x7b, 0xff, 0x7d]), ''],
  ])('with %d %s', async (expected, _, settings, body, encoding) => {
    const api = await startReceiving(settings, false)

    const { status } = await api.send(body, encoding ? { 'content-encoding': encoding } : {})

    expect(status).toBe(expected)
    expect((await api.get(`${CONFIG}/requests`)).body.count).toBe(0)
  })

  it('by an unknown address, a disabled config and a config in the trash', async () => {
    const api = await startReceiving({}, false)

    expect((await fetch(api.address('/in/unknown'), { method: 'POST' })).status).toBe(404)
    await api.patch(CONFIG, { enabled: false })
    expect((await api.send({})).status).toBe(404)
    await api.patch(CONFIG, { deleted: true })
    expect((await api.send({})).status).toBe(404)
  })

  it('by another method', async () => {
    const api = await startReceiving({}, false)

    const response = await fetch(api.receiver, { method: 'DELETE' })

    expect(response.status).toBe(405)
  })
})

describe('an address', () => {
  it('can be replaced, at once or after a while', { tags: 'sql' }, async () => {
    const api = await startReceiving({}, false)

    const { body } = await api.post(`${CONFIG}/address/rotate`, { grace_seconds: 60 })

    expect(api.address(body.path)).not.toBe(api.receiver)
    expect(body.previous).toHaveLength(1)
    expect((await api.send({})).status).toBe(200)
    await api.post(`${CONFIG}/address/rotate`, {})
    expect((await fetch(api.address(body.path), { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('follows each change of its config, however many requests came before', {
    tags: 'sql',
  }, async () => {
    const api = await startReceiving({}, false)
    const statuses: number[] = []
    const send = async (authorization = '') => {
      statuses.push((await api.send({}, { authorization })).status)
    }
    await send()
    await send()

    await api.patch(`${CONFIG}/settings`, { settings: { verify: 'token', secret: 'first' } })
    await send()
    await send('first')
    await api.patch(`${CONFIG}/settings`, { settings: { secret: 'second' } })
    await send('first')
    await send('second')
    await api.patch(CONFIG, { enabled: false })
    await send('second')

    await api.patch(CONFIG, { enabled: true })
    await send('second')
    await api.post(`${CONFIG}/address/rotate`, {})
    await send('second')

    expect(statuses).toEqual([200, 200, 401, 200, 401, 200, 404, 200, 404])
  })

  it('holds requests while the config is disabled, if it is told to', { tags: 'sql' }, async () => {
    const api = await startReceiving({}, false)
    const { body } = await api.patch(`${CONFIG}/address`, { while_disabled: 'hold' })
    await api.patch(CONFIG, { enabled: false })

    expect(body.while_disabled).toBe('hold')
    expect((await api.send({ type: 'held' })).status).toBe(200)
    await api.patch(CONFIG, { enabled: true })
    startTestWorker(api)
    await api.handled(1)

    expect(await api.stored()).toMatchObject([{ event: 'held' }])
  })

  it('is of no use for an app that receives nothing', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 2 })

    expect((await api.get(`${CONFIG}/address`)).status).toBe(409)
  })

  it.each([
    ['Slack', { type: 'url_verification', challenge: 'abc' }, '', 'abc'],
    ['Microsoft', {}, '?validationToken=a%20b', 'a b'],
  ])('responds to the challenge of %s', async (service, body, query, expected) => {
    const api = await startReceiving(
      service === 'Slack' ? { verify: 'slack', secret: SECRET } : {},
      false,
    )
    const text = JSON.stringify(body)
    const at = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', SECRET).update(`v0:${at}:${text}`).digest('hex')
    const headers = { 'x-slack-request-timestamp': `${at}`, 'x-slack-signature': `v0=${signature}` }

    const response = await api.send(text, headers, { query })

    expect([response.status, response.text]).toEqual([200, expected])
    expect((await api.get(`${CONFIG}/requests`)).body.count).toBe(0)
  })

  it('responds to no challenge of Slack that another has signed', async () => {
    const api = await startReceiving({ verify: 'slack', secret: SECRET }, false)
    const headers = {
      'x-slack-request-timestamp': `${Math.floor(Date.now() / 1000)}`,
      'x-slack-signature': `v0=${'0'.repeat(64)}`,
    }

    const response = await api.send({ type: 'url_verification', challenge: 'abc' }, headers)

    expect(response.status).toBe(401)
    expect(response.text).not.toContain('abc')
  })

  it('responds to Meta, which sends the secret', async () => {
    const api = await startReceiving({ verify: 'github', secret: SECRET }, false)
    const ask = (secret: string) =>
      api.send(
        '',
        {},
        {
          method: 'GET',
          query: `?hub.mode=subscribe&hub.challenge=77&hub.verify_token=${encodeURIComponent(secret)}`,
        },
      )

    expect(await ask(SECRET)).toMatchObject({ status: 200, text: '77' })
    expect((await ask('wrong')).status).toBe(401)
  })
})
