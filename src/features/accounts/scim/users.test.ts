import { describe, expect, it } from 'vitest'
import { CONFIGS } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { filterOf, patchOf, startScim } from '../../../../test/support/data/scim.ts'
import { openStream } from '../../../../test/support/streams.ts'
import { until } from '../../../../test/support/until.ts'
import { listScimTokens, revokeScimToken } from './tokens.ts'

const ADA = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  externalId: 'x-1',
  userName: 'Ada@example.com',
  name: { givenName: 'Ada', familyName: 'Lovelace', formatted: 'Ada Lovelace' },
  emails: [{ value: 'Ada@example.com', type: 'work', primary: true }],
  title: 'Countess',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines' },
}

const MEMBERS = '/api/organizations/@current/members'

const REFUSALS: readonly (readonly [string, string, string, unknown, string, string])[] = [
  ['a filter', 'GET', '/Users?filter=title%20eq%20%22x%22', undefined, 'invalidFilter', 'title'],
  ['an operator', 'GET', '/Users?filter=userName%20co%20%22x%22', undefined, 'invalidFilter', 'co'],
  [
    'a text in it',
    'GET',
    '/Users?filter=userName%20eq%20%22%5Cx%22',
    undefined,
    'invalidFilter',
    '',
  ],
  [
    'a path',
    'PATCH',
    '',
    patchOf({ op: 'add', path: 'shoeSize', value: 1 }),
    'invalidPath',
    'shoeSize',
  ],
  ['a key', 'PATCH', '', patchOf({ op: 'add', value: { shoeSize: 1 } }), 'invalidPath', 'shoeSize'],
  [
    'a password',
    'PATCH',
    '',
    patchOf({ op: 'add', path: 'password', value: 'x' }),
    'invalidPath',
    'password',
  ],
  ['no path', 'PATCH', '', patchOf({ op: 'remove' }), 'invalidPath', 'path'],
  ['an operation', 'PATCH', '', patchOf({ op: 'move', path: 'active' }), 'invalidSyntax', 'move'],
  [
    'a flag',
    'PATCH',
    '',
    patchOf({ op: 'add', path: 'active', value: 'yes' }),
    'invalidValue',
    'active',
  ],
  [
    'a removed name',
    'PATCH',
    '',
    patchOf({ op: 'remove', path: 'userName' }),
    'invalidValue',
    'userName',
  ],
  ['an attribute', 'POST', '/Users', { ...ADA, shoeSize: 1 }, 'invalidSyntax', 'shoeSize'],
  ['a name', 'POST', '/Users', { ...ADA, userName: 7 }, 'invalidValue', 'userName'],
  [
    'a long name',
    'POST',
    '/Users',
    { ...ADA, name: { givenName: 'x'.repeat(151) } },
    'invalidValue',
    '150',
  ],
  ['no object', 'POST', '/Users', [1], 'invalidSyntax', 'body'],
  ['no JSON', 'POST', '/Users', '{', 'invalidSyntax', 'JSON'],
  ['a NUL', 'POST', '/Users', { ...ADA, userName: 'a\0@example.com' }, 'invalidValue', 'Null'],
  ['an address', 'POST', '/Users', { userName: 'a b@example.com' }, 'invalidValue', 'e-mail'],
]

describe('SCIM users', { tags: 'sql' }, () => {
  it('are created, read back and found by userName and externalId', async () => {
    const { api, send } = await startScim()

    const created = await send('POST', '/Users', ADA)

    expect(created.status).toBe(201)
    expect(created.headers.get('content-type')).toMatch(/^application\/scim\+json/)
    expect(created.body).toMatchObject({
      externalId: 'x-1',
      userName: ADA.userName,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: ADA.userName, type: 'work', primary: true }],
      active: true,
      meta: { resourceType: 'User', location: `${api.url}/scim/v2/Users/${created.body.id}` },
    })
    expect((await send('GET', `/Users/${created.body.id}`)).body).toEqual(created.body)
    for (const filter of ['userName eq "ADA@example.com"', 'externalId EQ "x-1"']) {
      const { body } = await send('GET', `/Users?${filterOf(filter)}`)
      expect(body, filter).toMatchObject({ totalResults: 1, Resources: [created.body] })
    }
    const none = await send('GET', `/Users?${filterOf('userName eq "a\\"b@example.com"')}`)
    expect(none.body).toMatchObject({ totalResults: 0, Resources: [] })
    expect((await api.get(`${MEMBERS}?search=ada`)).body.results[0]).toMatchObject({ level: 1 })
  })

  it('include members whom no provider has created', async () => {
    const { send } = await startScim()

    const { body } = await send('GET', `/Users?${filterOf(`userName eq "${OWNER.email}"`)}`)

    expect(body).toMatchObject({ totalResults: 1, Resources: [{ userName: OWNER.email }] })
  })

  it('are listed in pages', async () => {
    const { api, send } = await startScim()
    for (const _ of [1, 2, 3]) await api.as({})

    const { body } = await send('GET', '/Users?startIndex=2&count=2&attributes=userName')
    const ends = await Promise.all(
      ['startIndex=99', 'count=0', 'startIndex=-5&count=-1', 'count=100000'].map((query) =>
        send('GET', `/Users?${query}`),
      ),
    )

    expect(body).toMatchObject({ totalResults: 4, startIndex: 2, itemsPerPage: 2 })
    expect(Object.keys(body.Resources[0]).toSorted()).toEqual(['id', 'schemas', 'userName'])
    expect(ends.map((end) => end.body.Resources.length)).toEqual([0, 0, 0, 4])
  })

  it.each([
    [
      'Entra',
      patchOf(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada@new.example' },
        { op: 'Add', path: 'name.familyName', value: 'King' },
        { op: 'Add', path: 'externalId', value: 'x-2' },
        { op: 'Replace', path: 'title', value: 'Lady' },
        { op: 'Replace', path: 'active', value: 'True' },
      ),
    ],
    [
      'Okta',
      patchOf({
        op: 'replace',
        value: {
          emails: [{ value: 'ada@new.example', primary: true }],
          name: { familyName: 'King' },
          externalId: 'x-2',
          active: true,
        },
      }),
    ],
  ])('are changed in the style of %s', async (_, patch) => {
    const { send } = await startScim()
    const { id } = (await send('POST', '/Users', ADA)).body

    const { status, body } = await send('PATCH', `/Users/${id}`, patch)

    expect(status).toBe(200)
    expect(body).toMatchObject({
      userName: ADA.userName,
      externalId: 'x-2',
      name: { givenName: 'Ada', familyName: 'King' },
      emails: [{ value: 'ada@new.example' }],
      active: true,
    })
  })

  it('are replaced, with the address that the userName is', async () => {
    const { send } = await startScim()
    const { id } = (await send('POST', '/Users', ADA)).body

    const { body } = await send('PUT', `/Users/${id}`, {
      userName: 'countess@example.com',
      displayName: 'The Countess',
      active: 'False',
    })

    expect(body).toMatchObject({
      userName: 'countess@example.com',
      name: { givenName: 'The Countess', familyName: '' },
      emails: [{ value: 'countess@example.com' }],
      active: false,
    })
    expect(body.externalId).toBeUndefined()
  })

  it('may have names that are no addresses, if they have an e-mail', async () => {
    const { send } = await startScim()

    const refused = await send('POST', '/Users', { userName: 'ada' })
    const created = await send('POST', '/Users', { ...ADA, userName: 'ada' })

    expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(created.body).toMatchObject({ userName: 'ada', emails: [{ value: ADA.userName }] })
  })

  it('are unique', async () => {
    const { send } = await startScim()
    await send('POST', '/Users', ADA)

    for (const body of [
      { ...ADA, emails: [] },
      { userName: 'other@example.com', emails: [{ value: ADA.userName.toLowerCase() }] },
      { userName: OWNER.email },
    ]) {
      const refused = await send('POST', '/Users', body)
      expect(refused).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    }
    expect((await send('GET', '/Users')).body.totalResults).toBe(2)
  })

  it.each([
    ['Entra', patchOf({ op: 'Replace', path: 'active', value: 'False' })],
    ['Okta', patchOf({ op: 'replace', value: { active: false } })],
  ])('lose keys, sessions and streams when deactivated by %s', async (_, patch) => {
    const { api, send } = await startScim()
    const member = await api.as({})
    const browser = await api.withSession(member.userId)
    const { body: config } = await api.post(CONFIGS, { plugin: 4 })
    const key = { authorization: `Bearer ${member.key}` }
    const stream = await openStream(api.address(`${CONFIGS}/${config.id}/live`), key)
    expect(stream.response.status).toBe(200)

    const { body } = await send('PATCH', `/Users/${member.uuid}`, patch)

    expect(body.active).toBe(false)
    expect((await member.get('/api/users/@me')).status).toBe(401)
    expect((await browser.get('/api/users/@me')).status).toBe(401)
    await until(stream.isEnded, 5)
    expect((await api.get(MEMBERS)).body.count).toBe(1)
    expect((await send('GET', `/Users/${member.uuid}`)).body.active).toBe(false)
  })

  it('return when they are activated, without their keys', async () => {
    const { api, send } = await startScim({ HEDGEROW_SIGN_IN_GROUPS: '*=member:1' })
    const member = await api.as({ level: 8 })
    await send(
      'PATCH',
      `/Users/${member.uuid}`,
      patchOf({ op: 'replace', value: { active: false } }),
    )

    await send(
      'PATCH',
      `/Users/${member.uuid}`,
      patchOf({ op: 'replace', value: { active: true } }),
    )

    const [found] = (await api.get(`${MEMBERS}?search=${member.email}`)).body.results
    expect(found).toMatchObject({ id: member.uuid, level: 1, projects: [1] })
    expect((await member.get('/api/users/@me')).status).toBe(401)
  })

  it('are not activated while somebody else has their address', async () => {
    const { api, send } = await startScim()
    const { id } = (await send('POST', '/Users', { ...ADA, active: false })).body
    await api.db
      .updateTable('users')
      .set({ email_key: 'ada@example.com' })
      .where('id', '=', 1)
      .execute()

    const refused = await send(
      'PATCH',
      `/Users/${id}`,
      patchOf({ op: 'add', value: { active: true } }),
    )

    expect(refused).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  })

  it('are removed', async () => {
    const { api, send } = await startScim()
    const { id } = (await send('POST', '/Users', ADA)).body

    expect((await send('DELETE', `/Users/${id}`)).status).toBe(204)

    expect(await send('GET', `/Users/${id}`)).toMatchObject({
      status: 404,
      body: { status: '404' },
    })
    expect((await send('DELETE', `/Users/${id}`)).status).toBe(404)
    expect((await send('GET', '/Users')).body.totalResults).toBe(1)
    expect((await api.get(MEMBERS)).body.count).toBe(1)
    expect((await send('POST', '/Users', ADA)).status).toBe(201)
  })

  it('always include an owner', async () => {
    const { api, send } = await startScim()
    const { uuid } = (await api.get('/api/users/@me')).body
    const off = patchOf({ op: 'replace', path: 'active', value: false })

    expect((await send('PATCH', `/Users/${uuid}`, off)).status).toBe(409)
    expect((await send('PUT', `/Users/${uuid}`, { ...ADA, active: false })).status).toBe(409)
    expect((await send('DELETE', `/Users/${uuid}`)).status).toBe(409)
    expect((await api.get('/api/users/@me')).body.email).toBe(OWNER.email)

    await api.as({ level: 15 })
    expect((await send('PATCH', `/Users/${uuid}`, off)).status).toBe(200)
  })

  it('refuse what is not known, by name, and change nothing', async () => {
    const { api, send } = await startScim()
    const member = await api.as({})

    for (const [name, method, path, body, scimType, part] of REFUSALS) {
      const refused = await send(method, path || `/Users/${member.uuid}`, body)

      expect(refused, name).toMatchObject({
        status: 400,
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
          status: '400',
          scimType,
          detail: expect.stringContaining(part),
        },
      })
    }
    expect((await send('GET', `/Users/${member.uuid}`)).body.active).toBe(true)
    expect((await send('GET', '/Users')).body.totalResults).toBe(2)
  })
})

describe('SCIM', () => {
  it('takes only its own tokens, which open nothing else', async () => {
    const { api, token, send } = await startScim()
    const owner = await api.withSession()

    expect((await api.withKey(token).get('/api/users/@me')).status).toBe(401)
    for (const client of [api, owner, api.withKey(undefined), api.withKey('scim_x')]) {
      const refused = await client.get('/scim/v2/Users')
      expect(refused).toMatchObject({ status: 401, body: { status: '401' } })
    }
    expect((await send('GET', '/Users')).status).toBe(200)
    const [listed] = await listScimTokens(api.db)
    expect(JSON.stringify(listed)).not.toContain(token)
    expect(listed?.last_used_at).toEqual(expect.any(String))
    await revokeScimToken(api.db, listed?.id ?? '')
    expect((await send('GET', '/Users')).status).toBe(401)
  })

  it('describes itself', async () => {
    const { send } = await startScim()

    const config = await send('GET', '/ServiceProviderConfig')
    const types = (await send('GET', '/ResourceTypes')).body.Resources
    const schemas = (await send('GET', '/Schemas')).body.Resources

    expect(config.body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } })
    for (const { id, schema } of types) {
      expect((await send('GET', `/ResourceTypes/${id}`)).body.id).toBe(id)
      expect((await send('GET', `/Schemas/${schema}`)).body.id).toBe(schema)
    }
    expect(schemas).toHaveLength(2)
    expect((await send('GET', '/Schemas/nonsense')).status).toBe(404)
  })
})
