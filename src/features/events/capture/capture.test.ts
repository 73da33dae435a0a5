import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { changeAccess } from '#server/db/change.ts'
import { startCapturing } from '../../../../test/support/data/capture.ts'

const PATHS = [
  ...['/batch/', '/capture/', '/e/', '/track/', '/engage/', '/i/v0/e/', '/batch', '/i/v0/e'],
  '/i/v0/ai/batch/',
]
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

describe('capture', () => {
  it.each(PATHS)('accepts a batch at %s', async (path) => {
    const { send, stored, token } = await startCapturing()
    const uuid = randomUUID()
    const timestamp = '2026-01-02T03:04:05.678Z'
    const properties = { plan: 'pro', $os: 'Linux', nested: { a: [1, null] } }
    const event = { event: 'signed up', distinct_id: 'ada', properties, timestamp, uuid }

    const { status, body } = await send(path, { api_key: token, batch: [event] })

    expect(status).toBe(200)
    expect(body).toEqual({ status: path.startsWith('/i/v0/e') ? 'Ok' : 1 })
    const created_at = expect.any(String)
    const { uuid: id, ...rest } = event
    expect(await stored()).toMatchObject([{ ...rest, id, created_at }])
  })

  it('accepts every encoding that clients send', async () => {
    const { send, stored, token } = await startCapturing()
    const of = (event: string) => ({ token, event, distinct_id: 'ada', properties: { é: '+ /' } })
    const plain = { 'content-type': 'text/plain' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const zip = (event: string) => gzipSync(JSON.stringify(of(event)))
    const bodies: [path: string, body: Parameters<typeof send>[1], headers: object][] = [
      ['/e/', of('json'), {}],
      ['/e/', of('as text'), plain],
      ['/e/', [of('first of a list'), of('second of a list')], {}],
      ['/batch/', zip('gzip'), { 'content-encoding': 'gzip' }],
      ['/e/?compression=gzip-js&ver=1', zip('gzip-js'), plain],
      ['/e/?compression=gzip-js', zip('bytes'), { 'content-type': 'application/octet-stream' }],
      ['/e/?compression=base64', base64(of('base64')), plain],
      ['/e/', `data=${encodeURIComponent(base64(of('form')))}&compression=base64`, form],
      ['/e/', `ip=1&data=${encodeURIComponent(JSON.stringify(of('form of json')))}`, form],
      ['/e/', `data=${base64(of('>>>>'))}`, form], // where each plus is decoded as a space
      ['/e/', `data=${encodeURIComponent(zip('form of gzip').toString('base64'))}`, form],
    ]

    for (const [path, body, headers] of bodies) {
      const response = await send(path, body, headers as Record<string, string>)
      expect(response, JSON.stringify(headers)).toMatchObject({ status: 200 })
    }

    const events = await stored()
    expect(events.map(({ event }) => event).toSorted()).toEqual(
      [
        ...['json', 'as text', 'first of a list', 'second of a list', 'gzip', 'gzip-js', 'bytes'],
        ...['base64', 'form', 'form of json', 'form of gzip', '>>>>'],
      ].toSorted(),
    )
    expect(new Set(events.map(({ properties }) => properties.é))).toEqual(new Set(['+ /']))
  })

  it.each([
    ['api_key', (token: string) => ({ api_key: token })],
    ['token', (token: string) => ({ token })],
    ['$token', (token: string) => ({ $token: token })],
    ['properties.token', (token: string) => ({ properties: { token } })],
  ])('finds the token in %s', async (_, toFields) => {
    const { send, token } = await startCapturing()
    const event = { event: 'a', distinct_id: 'b', ...toFields(token) }

    expect((await send('/e/', event)).status).toBe(200)
    expect((await send('/e/', [event])).status).toBe(200)
  })

  it('finds the distinct ID in every field that clients use', async () => {
    const { send, stored, token } = await startCapturing()
    const events = [
      { event: 'a', distinct_id: 'one' },
      { event: 'a', properties: { distinct_id: 'two' } },
      { event: 'a', $distinct_id: 'three' },
      { event: 'a', distinct_id: 4 },
      { event: 'a', distinct_id: `${'5'.repeat(200)}6` },
    ]

    await send('/batch/', { token, batch: events })

    const ids = (await stored()).map(({ distinct_id }) => distinct_id)
    expect(new Set(ids)).toEqual(new Set(['one', 'two', 'three', '4', '5'.repeat(200)]))
  })

  it('merges fields that are sent beside the properties', async () => {
    const { send, stored, token } = await startCapturing()
    const beside = { $set: { a: 1 }, $set_once: { b: 2 }, $groups: { c: 'd' } }

    await send('/e/', { token, event: 'a', distinct_id: 'b', properties: { e: 1 }, ...beside })

    expect((await stored())[0].properties).toEqual({ e: 1, ...beside, $ip: '127.0.0.1' })
  })

  it('lets fields beside the properties override those in them', async () => {
    const { send, stored, token } = await startCapturing()
    const inside = { $set: { a: 1, b: 1 }, $set_once: { a: 1, b: 1 }, $groups: { a: 'x', b: 'x' } }
    const beside = { $set: { b: 2 }, $set_once: { b: 2, c: 2 }, $groups: { b: 'y' } }

    await send('/e/', { token, event: 'x', distinct_id: 'ada', properties: inside, ...beside })

    expect((await stored())[0].properties).toEqual({
      $set: { a: 1, b: 2 },
      $set_once: { a: 1, b: 2, c: 2 },
      $groups: { a: 'x', b: 'y' },
      $ip: '127.0.0.1',
    })
  })

  it('stores a repeated event once', async () => {
    const { send, stored, token } = await startCapturing()
    const body = { api_key: token, batch: [{ event: 'a', distinct_id: 'b', uuid: randomUUID() }] }

    for (let i = 0; i < 3; i++) expect((await send('/batch/', body)).status).toBe(200)

    expect(await stored()).toHaveLength(1)
  })

  it('replaces characters that cannot be stored', async () => {
    const { send, stored, token } = await startCapturing()
    const body = `{"token":"${token}","event":"a\\u0000","distinct_id":"\\ud800","properties":{"\\u0000":"\\udc00 \\ud83d\\ude00","__proto__":{"a":1}}}`

    expect((await send('/e/', body)).status).toBe(200)

    const [event] = await stored()
    expect(event).toMatchObject({ event: 'a\ufffd', distinct_id: '\ufffd' })
    expect(event.properties['\ufffd']).toBe('\ufffd 😀')
    expect(Object.hasOwn(event.properties, '__proto__')).toBe(true)
  })

  it('accepts properties of persons without an event name at /engage', async () => {
    const { send, stored, token } = await startCapturing()

    const { status } = await send('/engage/', [
      { token, $distinct_id: 'ada', $set: { plan: 'pro' } },
    ])

    expect(status).toBe(200)
    expect(await stored()).toMatchObject([
      { event: '$identify', distinct_id: 'ada', properties: { $set: { plan: 'pro' } } },
    ])
  })

  it('rejects the token of a deleted project', async () => {
    const { send, db, createProject } = await startCapturing()
    const id = await createProject()
    const ofIt = db.selectFrom('projects').select('api_token').where('id', '=', id)
    const { api_token } = await ofIt.executeTakeFirstOrThrow()
    const event = { token: api_token, event: 'a', distinct_id: 'b' }
    expect((await send('/e/', event)).status).toBe(200)

    await changeAccess(db, (tx) => tx.deleteFrom('projects').where('id', '=', id).execute())

    expect((await send('/e/', event)).status).toBe(401)
  })

  it('stores events in the project of their token only', async () => {
    const { send, stored, get, createProject } = await startCapturing()
    const other = await createProject()
    const { api_token } = (await get(`/api/projects/${other}`)).body

    await send('/e/', { token: api_token, event: 'elsewhere', distinct_id: 'b' })

    expect(await stored()).toEqual([])
    expect((await get(`/api/projects/${other}/events`)).body.results).toMatchObject([
      { event: 'elsewhere' },
    ])
  })
})
