import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type AppUsers, toAppUsers } from './config/app-users.ts'
import { type BackupSettings, toBackups } from './config/backups.ts'
import { type ClickHouseSettings, toClickHouse } from './config/clickhouse.ts'
import { toGeoipFile } from './config/geoip.ts'
import { type MailSettings, toMail } from './config/mail.ts'
import { type OidcSettings, toOidc } from './config/oidc.ts'
import { type GroupRule, toGroupRules } from './config/sign-in-groups.ts'
import { toStopDelay } from './config/stop-delay.ts'
import { OperatorError } from './errors.ts'

/** One row per variable. A test compares the table with `docs/operating.md`. */
export const VARIABLES = [
  ['HEDGEROW_HOST', '127.0.0.1', 'address to listen on'],
  ['HEDGEROW_PORT', '8000', 'port to listen on; `PORT` works too; 0 picks a free port'],
  ['HEDGEROW_DATA', './data', 'data folder, created with mode 0700'],
  ['DATABASE_URL', 'SQLite in the data folder', '`postgres://...` for PostgreSQL'],
  [
    'EVENTS_URL',
    'events beside the database',
    'events in ClickHouse: `clickhouse://user:password@host:8123/database`, or `clickhouses://...` for TLS; requires `DATABASE_URL`',
  ],
  ['EVENTS_CLUSTER', 'none', 'cluster of ClickHouse; its tables are replicated and distributed'],
  [
    'EVENTS_KEYS_DAYS',
    '0',
    'days for which each `uuid` is stored only once; 0 means forever, which takes 11 GB in PostgreSQL per 100 million events',
  ],
  ['EVENTS_WAITING_MB', '1024', 'MB of events that may wait for ClickHouse before 503'],
  ['HEDGEROW_API_KEY', 'random', "the owner's first API key; first start only"],
  ['HEDGEROW_OWNER_EMAIL', 'owner@hedgerow.local', "the owner's e-mail; first start only"],
  ['HEDGEROW_OWNER_PASSWORD', 'random', "the owner's password; first start only"],
  [
    'HEDGEROW_SECRET_KEY',
    'a file in the data folder',
    "key that encrypts the apps' settings and files",
  ],
  ['HEDGEROW_URL', 'the listening address', 'public URL, used in links and by apps'],
  [
    'HEDGEROW_APP_HOSTS',
    'none',
    'private hosts, addresses or CIDRs that apps, webhooks and OpenID Connect may reach',
  ],
  [
    'HEDGEROW_GITHUB_URL',
    'https://github.com',
    'GitHub Enterprise server to install apps from, instead of GitHub',
  ],
  ['HEDGEROW_SMTP_URL', 'none', 'SMTP server for e-mail: `smtp://user:pass@host:587`'],
  ['HEDGEROW_MAIL_FROM', 'none', 'sender of e-mail; required with `HEDGEROW_SMTP_URL`'],
  ['HEDGEROW_OIDC_ISSUER', 'none', 'URL of an OpenID Connect provider for sign-in'],
  ['HEDGEROW_OIDC_CLIENT_ID', 'none', 'client ID at the provider; required with the issuer'],
  ['HEDGEROW_OIDC_CLIENT_SECRET', 'none', 'client secret; none for a public client'],
  ['HEDGEROW_OIDC_NAME', 'SSO', 'name on the sign-in button: “Sign in with …”'],
  ['HEDGEROW_OIDC_CREATE', 'no', '`yes` creates users when they first sign in with the provider'],
  [
    'HEDGEROW_OIDC_DOMAINS',
    'none',
    'e-mail domains of users to create, such as `example.com,example.org`; `*` allows all',
  ],
  [
    'HEDGEROW_OIDC_ONLY',
    'no',
    '`yes` makes the provider the only way in; passwords of owners stay for emergencies',
  ],
  ['HEDGEROW_OIDC_GROUPS_CLAIM', 'groups', "claim of the ID token with the user's groups"],
  [
    'HEDGEROW_SIGN_IN_GROUPS',
    'none',
    "levels and projects by the provider's groups: `Analysts=member:1,2; Leads=admin`; see [Groups](people.md#groups-of-the-provider)",
  ],
  [
    'HEDGEROW_APP_SANDBOX',
    'preferred',
    '`required` refuses to run apps without the kernel sandbox',
  ],
  [
    'HEDGEROW_APP_USERS',
    '60800-60999',
    "unused user IDs, one for each app's process; if the server is root",
  ],
  ['HEDGEROW_TRUSTED_PROXY', 'none', 'addresses or CIDRs of trusted proxies, for `X-Forwarded-*`'],
  [
    'HEDGEROW_GEOIP',
    'the bundled table of countries',
    'MaxMind DB file (`.mmdb`) with the places of IP addresses; `off` looks up none; see [Places](capture.md#places)',
  ],
  ['HEDGEROW_BACKUP_FOLDER', 'none', 'folder for scheduled backups, used for nothing else'],
  [
    'HEDGEROW_BACKUP_INTERVAL',
    '24h',
    'time between scheduled backups, such as `30m`, `6h` or `7d`',
  ],
  ['HEDGEROW_BACKUP_KEEP', '7', 'number of scheduled backups to keep; older ones are deleted'],
  [
    'HEDGEROW_STOP_DELAY',
    '0s',
    'time that a stopping server still accepts connections, such as `30s`; see [Rolling restarts](#rolling-restarts)',
  ],
  ['HEDGEROW_LOG_LEVEL', 'info', '`debug` logs every request; also `warn`, `error`, `silent`'],
] as const

/** Secrets that can also be read from the file in `<NAME>_FILE`, which keeps them out of `ps` and logs. */
export const SECRETS: readonly string[] = [
  'DATABASE_URL',
  'EVENTS_URL',
  'HEDGEROW_API_KEY',
  'HEDGEROW_OWNER_PASSWORD',
  'HEDGEROW_SECRET_KEY',
  'HEDGEROW_SMTP_URL',
  'HEDGEROW_OIDC_CLIENT_SECRET',
]

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

export interface Config {
  readonly host: string
  readonly port: number
  readonly dataFolder: string
  readonly databaseUrl: string | undefined
  /** undefined: events are in PostgreSQL or in the data folder. */
  readonly clickHouse: ClickHouseSettings | undefined
  readonly secretKey: string | undefined
  /** Without a trailing slash. */
  readonly url: string | undefined
  readonly appHosts: readonly string[]
  /** undefined: GitHub. */
  readonly githubUrl: string | undefined
  /** undefined: e-mail cannot be sent. */
  readonly mail: MailSettings | undefined
  /** undefined: people sign in with passwords only. */
  readonly oidc: OidcSettings | undefined
  /** The levels and projects that groups of the identity provider give. */
  readonly groupRules: readonly GroupRule[]
  readonly requireSandbox: boolean
  /** undefined: the runtime's own choice. */
  readonly appUsers: AppUsers | undefined
  readonly trustedProxy: string | undefined
  /** The table of the places of IP addresses. undefined: they are not looked up. */
  readonly geoipFile: string | undefined
  /** undefined: no backups are scheduled. */
  readonly backups: BackupSettings | undefined
  /** The time from the announcement of a stop to the stop. */
  readonly stopDelayMs: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** The standard variables of OpenTelemetry, as they are. */
  readonly otel: Environment
  readonly firstStart: {
    readonly apiKey: string | undefined
    readonly email: string | undefined
    readonly password: string | undefined
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the environment, which nothing else does. Throws one error that lists all problems. */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = []
  const value = (name: string) => readVariable(env, name, problems)
  // ignoring it would quietly drop a protection that the operator asked for
  if (value('HEDGEROW_APP_SEAL')) problems.push('HEDGEROW_APP_SEAL is now HEDGEROW_APP_SANDBOX.')
  const databaseUrl = value('DATABASE_URL')
  const config: Config = Object.freeze({
    host: value('HEDGEROW_HOST') ?? '127.0.0.1',
    port: toPort(value('HEDGEROW_PORT') ?? value('PORT') ?? '8000', problems),
    dataFolder: resolve(value('HEDGEROW_DATA') ?? 'data'),
    databaseUrl: toDatabaseUrl(databaseUrl, problems),
    clickHouse: toClickHouse(value, databaseUrl, problems),
    secretKey: value('HEDGEROW_SECRET_KEY'),
    url: toUrl('HEDGEROW_URL', value, problems),
    appHosts: toAppHosts(value('HEDGEROW_APP_HOSTS') ?? '', problems),
    githubUrl: toUrl('HEDGEROW_GITHUB_URL', value, problems),
    mail: toMail(value('HEDGEROW_SMTP_URL'), value('HEDGEROW_MAIL_FROM'), problems),
    oidc: toOidc(value, problems),
    groupRules: toGroupRules(value('HEDGEROW_SIGN_IN_GROUPS'), problems),
    requireSandbox: toRequireSandbox(value('HEDGEROW_APP_SANDBOX') ?? 'preferred', problems),
    appUsers: toAppUsers(value('HEDGEROW_APP_USERS'), problems),
    trustedProxy: toTrustedProxy(value('HEDGEROW_TRUSTED_PROXY'), problems),
    geoipFile: toGeoipFile(value('HEDGEROW_GEOIP'), problems),
    backups: toBackups(value, problems),
    stopDelayMs: toStopDelay(value('HEDGEROW_STOP_DELAY'), problems),
    logLevel: toLogLevel(value('HEDGEROW_LOG_LEVEL') ?? 'info', problems),
    otel: Object.freeze(
      Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('OTEL_'))),
    ),
    firstStart: Object.freeze({
      apiKey: toApiKey(value('HEDGEROW_API_KEY'), problems),
      email: toEmail(value('HEDGEROW_OWNER_EMAIL'), problems),
      password: value('HEDGEROW_OWNER_PASSWORD'),
    }),
  })
  if (problems.length > 0) throw new OperatorError(problems.join(' '))
  return config
}

/** Tells whether a browser can open a page here. */
export const hasDisplay = (): boolean =>
  process.platform === 'darwin' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

function readVariable(env: Environment, name: string, problems: string[]): string | undefined {
  const file = SECRETS.includes(name) ? env[`${name}_FILE`] : undefined
  if (env[name] || !file) return env[name] || undefined
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    problems.push(`${name}_FILE names ${file}, which ${reason}.`)
    return undefined
  }
}

function toPort(text: string, problems: string[]): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text)
  problems.push(`HEDGEROW_PORT must be a number from 0 to 65535, not "${text}".`)
  return 0
}

function toDatabaseUrl(text: string | undefined, problems: string[]): string | undefined {
  if (text && !/^postgres(ql)?:\/\//.test(text)) {
    problems.push('DATABASE_URL must start with postgres:// (leave it out for SQLite).')
  }
  return text
}

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal']

function toTrustedProxy(text: string | undefined, problems: string[]): string | undefined {
  for (const range of text?.split(',').map((part) => part.trim()) ?? []) {
    if (NAMED_RANGES.includes(range) || isAddressRange(range)) continue
    problems.push(`HEDGEROW_TRUSTED_PROXY: "${range}" is not an address or CIDR.`)
  }
  return text
}

function toUrl(
  name: string,
  value: (name: string) => string | undefined,
  problems: string[],
): string | undefined {
  const text = value(name)
  if (text && !/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    problems.push(`${name} must start with http:// or https://, not "${text}".`)
  }
  return text?.replace(/\/+$/, '')
}

const HOST_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

function toAppHosts(text: string, problems: string[]): readonly string[] {
  const hosts = text.split(',').flatMap((part) => part.trim() || [])
  for (const host of hosts) {
    if (HOST_NAME.test(host) || isAddressRange(host)) continue
    problems.push(`HEDGEROW_APP_HOSTS: "${host}" is not a host name, address or CIDR.`)
  }
  return hosts
}

function toRequireSandbox(text: string, problems: string[]): boolean {
  if (text !== 'preferred' && text !== 'required') {
    problems.push(`HEDGEROW_APP_SANDBOX must be preferred or required, not "${text}".`)
  }
  return text === 'required'
}

function isAddressRange(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const maxBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return bits === undefined ? maxBits > 0 : Number(bits) > 0 && Number(bits) <= maxBits
}

function toLogLevel(text: string, problems: string[]): Config['logLevel'] {
  const level = LOG_LEVELS.find((name) => name === text)
  if (!level) problems.push(`HEDGEROW_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`)
  return level ?? 'info'
}

function toApiKey(text: string | undefined, problems: string[]): string | undefined {
  if (text && !/^[\x21-\x7e]{2,200}$/.test(text)) {
    problems.push('HEDGEROW_API_KEY must be 2 to 200 printable ASCII characters without spaces.')
  }
  return text
}

function toEmail(text: string | undefined, problems: string[]): string | undefined {
  if (text && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) {
    problems.push(`HEDGEROW_OWNER_EMAIL is not an e-mail address: "${text}".`)
  }
  return text
}
