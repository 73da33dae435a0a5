import { createVerify, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFakeApp, type FakeResponse } from '../../test/apps/fake-app.ts'
import { importSheet } from './import.ts'

const LINK = 'https://docs.google.com/spreadsheets/d/sheet-1/edit#gid=7'
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEY = {
  type: 'service_account',
  client_email: 'import@acme.example',
  private_key_id: 'k1',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  token_uri: 'https://evil.example/token',
}

const json = (body: unknown, status = 200): FakeResponse => ({ status, body: JSON.stringify(body) })

/** Google's token endpoint, which verifies the signature, and its API for sheets. */
function createGoogle() {
  const google = { title: "Ada's", rows: [['email', 'date', 'n']] as string[][], isShared: true }

  const grant = (body: string): FakeResponse => {
    const assertion = new URLSearchParams(body).get('assertion') ?? ''
    const [header = '', claims = '', signature = ''] = assertion.split('.')
    const { iss, aud, scope, exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const isSigned = createVerify('sha256')
      .update(`${header}.${claims}`)
      .verify(publicKey, signature, 'base64url')
    const isRight =
      iss === KEY.client_email &&
      aud === 'https://oauth2.googleapis.com/token' &&
      scope === 'https://www.googleapis.com/auth/spreadsheets.readonly' &&
      exp - iat === 3600
    return isSigned && isRight
      ? json({ access_token: 'ya29', expires_in: 3599 })
      : json({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, 400)
  }

  const respond = (url: URL, headers: Readonly<Record<string, string>>, body: string) => {
    if (url.href === 'https://oauth2.googleapis.com/token') return grant(body)
    if (headers.authorization !== 'Bearer ya29') return json({ error: { code: 401 } }, 401)
    if (!google.isShared) return json({ error: { code: 403, status: 'PERMISSION_DENIED' } }, 403)
    if (url.pathname === '/v4/spreadsheets/sheet-1') {
      const tab = (sheetId: number, title: string) => ({
        properties: { sheetId, title, gridProperties: { rowCount: 12_000 } },
      })
      return json({ sheets: [tab(0, 'First'), tab(7, google.title)] })
    }
    const [, title, from, to] =
      /^\/v4\/spreadsheets\/sheet-1\/values\/'(.*)'!(\d+):(\d+)$/.exec(
        decodeURIComponent(url.pathname),
      ) ?? []
    if (title?.replaceAll("''", "'") !== google.title || Number(to) > 12_000) {
      return json({ error: { code: 400, message: 'Unable to parse range' } }, 400)
    }
    return json({ values: google.rows.slice(Number(from) - 1, Number(to)) })
  }
  return { google, respond }
}

function start(config: object = {}) {
  const { google, respond } = createGoogle()
  const fake = createFakeApp({
    config: {
      ...{ url: LINK, key: KEY, event: 'row' },
      ...{ distinct_id_column: 'email', timestamp_column: 'date' },
      ...config,
    },
    respond,
  })
  return { ...fake, google, run: () => importSheet(fake.app) }
}

describe('a private sheet', () => {
  it('is read by a service account, in parts, with its quotes and its empty cells', async () => {
    const fake = start()
    for (let n = 1; n <= 6000; n += 1) fake.google.rows.push([`p${n}`, '2025-01-01', `a "${n}", b`])
    fake.google.rows.push(['last', '2025-01-02'])

    await fake.run()

    expect(fake.events()).toHaveLength(6001)
    expect(fake.events()[0]?.properties).toEqual({ n: 'a "1", b' })
    expect(fake.events().at(-1)).toMatchObject({ distinct_id: 'last', properties: {} })
    expect(fake.requested.filter((url) => url.includes('/values/'))).toHaveLength(3)
  })

  it('whose key is text, and whose tab was renamed and sorted, is imported once', async () => {
    const fake = start({ key: JSON.stringify(KEY) })
    fake.google.rows.push(['a', '2025-01-01', '1'], ['b', '2025-01-02', '2'])
    await fake.run()
    fake.google.title = 'Renamed'
    fake.google.rows.splice(
      1,
      2,
      ['b', '2025-01-02', '2'],
      ['c', '2025-01-03', '3'],
      ['a', '2025-01-01', '1'],
    )

    await fake.run()

    expect(fake.events().map(({ distinct_id }) => distinct_id)).toEqual(['a', 'b', 'c'])
  })

  it('that is not shared says with whom to share it', async () => {
    const fake = start()
    fake.google.isShared = false

    await expect(fake.run()).rejects.toThrow(
      /returned 403.*Share the sheet with import@acme\.example/,
    )
  })

  it('whose tab was deleted names the others', async () => {
    const fake = start({ url: LINK.replace('gid=7', 'gid=8') })

    await expect(fake.run()).rejects.toThrow(
      `The tab of the "Link" was deleted. Open one of these and copy its link: First, Ada's.`,
    )
  })

  it.each([
    [
      'that ended',
      {
        ...KEY,
        private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
          type: 'pkcs8',
          format: 'pem',
        }),
      },
      'The key of import@acme.example may have ended or been deleted: enter a new one.',
    ],
    [
      'that was cut off',
      { ...KEY, private_key: 'abc' },
      'The private_key of the "Service account key" cannot be read.',
    ],
    ['of another kind', '{"web": {}}', 'The "Service account key" is not the JSON file of one'],
    ['that is no JSON', 'key', 'The "Service account key" is not the JSON file of one'],
  ])('with a key %s says what to do', async (_, key, message) => {
    const fake = start({ key })

    await expect(fake.run()).rejects.toThrow(message)
    expect(fake.requested.filter((url) => url.includes('evil'))).toEqual([])
  })

  it('needs its own link, not that of a published copy', async () => {
    const url = 'https://docs.google.com/spreadsheets/d/e/2PACX-1/pubhtml'

    await expect(start({ url }).run()).rejects.toThrow('which needs no key')
  })
})
