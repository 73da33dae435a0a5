import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig, SECRETS, VARIABLES } from './config.ts'

function fileWith(content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, content)
  return file
}

const OIDC = { HEDGEROW_OIDC_ISSUER: 'https://id.example', HEDGEROW_OIDC_CLIENT_ID: 'x' }

describe('configuration', () => {
  it('has defaults for every variable', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8000,
      dataFolder: resolve('data'),
      databaseUrl: undefined,
      clickHouse: undefined,
      secretKey: undefined,
      url: undefined,
      appHosts: [],
      mail: undefined,
      oidc: undefined,
      groupRules: [],
      requireSandbox: false,
      trustedProxy: undefined,
      geoipFile: resolve('src/geoip/countries.mmdb.br'),
      stopDelayMs: 0,
      logLevel: 'info',
      otel: {},
      firstStart: { apiKey: undefined, email: undefined, password: undefined },
    })
  })

  it('reads every variable', () => {
    const places = fileWith(Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'))
    const config = readConfig({
      HEDGEROW_HOST: '::1',
      HEDGEROW_PORT: '0',
      HEDGEROW_DATA: '/srv/hedgerow',
      DATABASE_URL: 'postgresql://x',
      EVENTS_URL: 'clickhouses://jo:pass@ch.example.com/analytics',
      EVENTS_CLUSTER: 'main',
      EVENTS_KEYS_DAYS: '45',
      EVENTS_WAITING_MB: '512',
      HEDGEROW_API_KEY: 'phx_1',
      HEDGEROW_OWNER_EMAIL: 'jo@example.com',
      HEDGEROW_OWNER_PASSWORD: 'a secret',
      HEDGEROW_SECRET_KEY: 'key',
      HEDGEROW_URL: 'https://hedgerow.example.com/',
      HEDGEROW_APP_HOSTS: 'crm.internal, 10.1.0.0/16,fd00::1',
      HEDGEROW_SMTP_URL: 'smtp://jo:pass@mail.example.com:587',
      HEDGEROW_MAIL_FROM: 'Hedgerow <hedgerow@example.com>',
      HEDGEROW_OIDC_ISSUER: 'https://id.example.com/realm/',
      HEDGEROW_OIDC_CLIENT_ID: 'hedgerow',
      HEDGEROW_OIDC_CLIENT_SECRET: 'shared',
      HEDGEROW_OIDC_NAME: 'Acme',
      HEDGEROW_OIDC_CREATE: 'yes',
      HEDGEROW_OIDC_DOMAINS: 'Example.com, example.org',
      HEDGEROW_OIDC_ONLY: 'yes',
      HEDGEROW_OIDC_GROUPS_CLAIM: 'roles',
      HEDGEROW_SIGN_IN_GROUPS: 'Analysts=member:1,2; CN=Leads,DC=example=admin',
      HEDGEROW_APP_SANDBOX: 'required',
      HEDGEROW_APP_USERS: '70000-70099',
      HEDGEROW_TRUSTED_PROXY: '10.0.0.0/8, loopback,::1',
      HEDGEROW_GEOIP: places,
      HEDGEROW_BACKUP_FOLDER: '/backups/',
      HEDGEROW_BACKUP_INTERVAL: '6h',
      HEDGEROW_BACKUP_KEEP: '28',
      HEDGEROW_STOP_DELAY: '30s',
      HEDGEROW_LOG_LEVEL: 'debug',
      OTEL_SERVICE_NAME: 'analytics',
    })

    expect(config).toEqual({
      host: '::1',
      port: 0,
      dataFolder: '/srv/hedgerow',
      databaseUrl: 'postgresql://x',
      clickHouse: {
        ...{ url: 'clickhouses://jo:pass@ch.example.com:8443/analytics', cluster: 'main' },
        ...{ keysDays: 45, maxWaitingMb: 512 },
      },
      secretKey: 'key',
      url: 'https://hedgerow.example.com',
      appHosts: ['crm.internal', '10.1.0.0/16', 'fd00::1'],
      mail: {
        smtpUrl: 'smtp://jo:pass@mail.example.com:587',
        from: 'Hedgerow <hedgerow@example.com>',
      },
      oidc: {
        ...{ issuer: 'https://id.example.com/realm/', clientId: 'hedgerow' },
        ...{ clientSecret: 'shared', name: 'Acme' },
        ...{ createsUsers: true, domains: ['example.com', 'example.org'] },
        ...{ isOnly: true, groupsClaim: 'roles' },
      },
      groupRules: [
        { group: 'Analysts', level: 1, access: 'member', projects: [1, 2] },
        { group: 'CN=Leads,DC=example', level: 8, access: 'member', projects: [] },
      ],
      requireSandbox: true,
      appUsers: { first: 70000, last: 70099 },
      trustedProxy: '10.0.0.0/8, loopback,::1',
      geoipFile: places,
      backups: { folder: '/backups', intervalSeconds: 6 * 3600, keep: 28 },
      stopDelayMs: 30_000,
      logLevel: 'debug',
      otel: { OTEL_SERVICE_NAME: 'analytics' },
      firstStart: { apiKey: 'phx_1', email: 'jo@example.com', password: 'a secret' },
    })
  })

  it('schedules seven daily backups unless told otherwise', () => {
    const { backups } = readConfig({ HEDGEROW_BACKUP_FOLDER: 'backups' })

    expect(backups).toEqual({ folder: resolve('backups'), intervalSeconds: 86_400, keep: 7 })
  })

  it('looks up no places if the operator turns it off', () => {
    expect(readConfig({ HEDGEROW_GEOIP: 'off' }).geoipFile).toBeUndefined()
  })

  it.each([
    ['does not exist', () => '/nowhere/places.mmdb'],
    ['cannot be read (EISDIR)', () => tmpdir()],
    ['is not a MaxMind DB file (.mmdb)', () => fileWith('8.8.8.8,US')],
    ['is not a MaxMind DB file (.mmdb)', () => fileWith('')],
  ])('refuses a table of places that %s, by its name', (problem, toFile) => {
    const file = toFile()

    const read = () => readConfig({ HEDGEROW_GEOIP: file })

    expect(read).toThrow(`HEDGEROW_GEOIP names ${file}, which ${problem}.`)
  })

  it('names the replacement of a renamed variable', () => {
    expect(() => readConfig({ HEDGEROW_APP_SEAL: 'required' })).toThrow(
      'HEDGEROW_APP_SEAL is now HEDGEROW_APP_SANDBOX.',
    )
  })

  it('is frozen', () => {
    const config = readConfig({})

    expect(Object.isFrozen(config)).toBe(true)
    expect(Object.isFrozen(config.firstStart)).toBe(true)
  })

  it('reports every problem at once', () => {
    const read = () =>
      readConfig({
        HEDGEROW_PORT: '65536',
        DATABASE_URL: 'mysql://x',
        HEDGEROW_API_KEY: 'a b',
        HEDGEROW_OWNER_EMAIL: 'jo',
        HEDGEROW_OWNER_PASSWORD_FILE: '/nowhere/password',
        HEDGEROW_APP_USERS: '60800-60810',
        HEDGEROW_TRUSTED_PROXY: '10.0.0.0/33',
        HEDGEROW_LOG_LEVEL: 'loud',
      })

    for (const name of [
      ...['HEDGEROW_PORT', 'DATABASE_URL', 'HEDGEROW_API_KEY', 'HEDGEROW_OWNER_EMAIL'],
      ...[
        'HEDGEROW_OWNER_PASSWORD_FILE',
        'HEDGEROW_TRUSTED_PROXY',
        'HEDGEROW_LOG_LEVEL',
        'HEDGEROW_APP_USERS',
      ],
    ]) {
      expect(read).toThrow(name)
    }
    expect(read).toThrow('/nowhere/password, which does not exist.')
  })

  it.each([
    [{ HEDGEROW_PORT: '65536' }, /^HEDGEROW_PORT must be a number from 0 to 65535, not "65536"\.$/],
    [{ HEDGEROW_TRUSTED_PROXY: '10.0.0.0/8, banana' }, /"banana" is not an address/],
    [{ HEDGEROW_SMTP_URL: 'smtp://host' }, /^HEDGEROW_MAIL_FROM is required/],
    [
      { HEDGEROW_SMTP_URL: 'http://jo:pass@host', HEDGEROW_MAIL_FROM: 'a@b' },
      /^HEDGEROW_SMTP_URL must look like smtp:\/\/user:pass@host:587 or smtps:\/\/\.{4}$/,
    ],
    [{ HEDGEROW_OIDC_ISSUER: 'https://id' }, /^HEDGEROW_OIDC_CLIENT_ID is required/],
    [
      { HEDGEROW_OIDC_ISSUER: 'id.example.com', HEDGEROW_OIDC_CLIENT_ID: 'x' },
      /^HEDGEROW_OIDC_ISSUER must start with https:/,
    ],
    [
      { HEDGEROW_BACKUP_FOLDER: 'x', HEDGEROW_BACKUP_INTERVAL: '0h', HEDGEROW_BACKUP_KEEP: '0' },
      /^HEDGEROW_BACKUP_INTERVAL must be .* not "0h"\. HEDGEROW_BACKUP_KEEP must be .* not "0"\.$/,
    ],
    [{ HEDGEROW_OIDC_ONLY: 'yes' }, /^HEDGEROW_OIDC_ISSUER is required with HEDGEROW_OIDC_ONLY\.$/],
    [
      { ...OIDC, HEDGEROW_OIDC_ONLY: 'true' },
      /^HEDGEROW_OIDC_ONLY must be yes or no, not "true"\.$/,
    ],
    [{ ...OIDC, HEDGEROW_OIDC_CREATE: 'yes' }, /^HEDGEROW_OIDC_DOMAINS is required with .*=yes;/],
    [
      { ...OIDC, HEDGEROW_OIDC_DOMAINS: 'a.example,@b' },
      /"@b" is not a domain such as example\.com/,
    ],
    [{ HEDGEROW_SIGN_IN_GROUPS: 'Leads' }, /"Leads" is not a rule such as Analysts=member:1,2/],
    [{ HEDGEROW_SIGN_IN_GROUPS: 'A=boss' }, /"A=boss" is not a rule/],
    [{ HEDGEROW_SIGN_IN_GROUPS: 'A=member:0' }, /"A=member:0" is not a rule/],
    [{ HEDGEROW_SIGN_IN_GROUPS: '=admin' }, /"=admin" is not a rule/],
    [{ HEDGEROW_SIGN_IN_GROUPS: 'A=admin:1' }, /names projects, but every admin reaches all/],
    [{ HEDGEROW_SIGN_IN_GROUPS: 'A=viewer' }, /names no projects, such as A=viewer:1,2/],
    [{ HEDGEROW_SIGN_IN_GROUPS: 'A=admin;A=owner' }, /names the group "A" twice/],
    [{ HEDGEROW_STOP_DELAY: '5' }, /^HEDGEROW_STOP_DELAY must be .* not "5"\.$/],
    [{ HEDGEROW_TRUSTED_PROXY: '10.0.0.0/33' }, /"10\.0\.0\.0\/33" is not an address/],
    [{ HEDGEROW_API_KEY_FILE: '/nowhere' }, /names \/nowhere, which does not exist/],
    [{ HEDGEROW_API_KEY_FILE: '/dev' }, /names \/dev, which cannot be read \(EISDIR\)/],
    [{ HEDGEROW_PORT: 'x', DATABASE_URL: 'mysql://x' }, /HEDGEROW_PORT.*DATABASE_URL/],
  ])('explains what is wrong with %j', (env, message) => {
    expect(() => readConfig(env)).toThrow(message)
  })

  it.each([
    ['HEDGEROW_PORT', ['-1', '80.5', 'http', '65536', '0x50']],
    ['HEDGEROW_LOG_LEVEL', ['trace', 'INFO']],
    ['HEDGEROW_API_KEY', ['x', 'a b', 'é', 'x'.repeat(201)]],
    ['HEDGEROW_OWNER_EMAIL', ['jo', 'jo@x', '@x.y', 'a b@x.y']],
    ['HEDGEROW_TRUSTED_PROXY', ['true', '10.0.0.0/0', '10.0.0', '::1/129', '10.0.0.1,']],
    ['DATABASE_URL', ['x', 'sqlite://x', ' postgres://x']],
  ])('rejects invalid values of %s', (name, values) => {
    for (const value of values) expect(() => readConfig({ [name]: value }), value).toThrow(name)
  })

  it.each([
    { DATABASE_URL: 'mysql://u:hush@x', HEDGEROW_API_KEY: 'hush hush' },
    { EVENTS_URL: 'http://u:hush@x/db' },
    { EVENTS_URL: 'clickhouse://u:hush#1@x/db' },
    { EVENTS_URL: 'clickhouse://u:hush%@x/db' },
    { EVENTS_URL: 'clickhouse://u:hush@x/not-a-name' },
  ])('does not quote an invalid secret in %j', (env) => {
    expect(() => readConfig(env)).toThrow(/^(?!.*hush)/)
  })

  it('reads PORT unless HEDGEROW_PORT is set', () => {
    expect(readConfig({ PORT: '1' }).port).toBe(1)
    expect(readConfig({ PORT: '1', HEDGEROW_PORT: '2' }).port).toBe(2)
  })

  it('treats an empty variable as unset', () => {
    const empty = Object.fromEntries([...VARIABLES].map(([name]) => [name, '']))

    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  it.each([
    ['DATABASE_URL', 'postgres://x', 'databaseUrl'],
    ['EVENTS_URL', 'clickhouse://x:1/db', 'clickHouse.url'],
    ['HEDGEROW_API_KEY', 'phx_1', 'apiKey'],
    ['HEDGEROW_OWNER_PASSWORD', 'hush', 'password'],
  ])('reads %s from a file', (name, value, field) => {
    const file = fileWith(`${value}\n`)

    const needed = name === 'EVENTS_URL' && { DATABASE_URL: 'postgres://x' }
    const { firstStart, ...rest } = readConfig({ ...needed, [`${name}_FILE`]: file })

    expect({ ...rest, ...firstStart }).toHaveProperty(field, value)
    expect(SECRETS).toContain(name)
  })

  it('prefers the variable to the file, and reads files only for secrets', () => {
    const file = fileWith('10.0.0.1')
    const env = { HEDGEROW_API_KEY: 'phx_1', HEDGEROW_API_KEY_FILE: file, HEDGEROW_HOST_FILE: file }

    const { firstStart, host } = readConfig(env)

    expect(firstStart.apiKey).toBe('phx_1')
    expect(host).toBe('127.0.0.1')
  })
})
