import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { OperatorError } from './errors.ts'

/** One row per variable: `docs/operating.md` is compared with this table by a test. */
export const VARIABLES = [
  ['HEDGEROW_HOST', '127.0.0.1', 'address to listen on'],
  ['HEDGEROW_PORT', '8000', 'port to listen on; `PORT` works too; 0 takes a free one'],
  ['HEDGEROW_DATA', './data', 'folder of the embedded storage, made with mode 0700'],
  ['DATABASE_URL', 'SQLite in the data folder', '`postgres://...` for PostgreSQL'],
  ['HEDGEROW_API_KEY', 'made up', "the owner's first key; first start only"],
  ['HEDGEROW_OWNER_EMAIL', 'owner@hedgerow.local', "the owner's e-mail; first start only"],
  ['HEDGEROW_OWNER_PASSWORD', 'made up', "the owner's password; first start only"],
  ['HEDGEROW_SECRET_KEY', 'a file in the data folder', "seals the apps' settings and files"],
  ['HEDGEROW_URL', 'where it listens', 'under which address apps and people reach it'],
  [
    'HEDGEROW_APP_HOSTS',
    'none',
    'private hosts, addresses or CIDRs that apps and webhooks may reach',
  ],
  ['HEDGEROW_SMTP_URL', 'none', '`smtp://user:pass@host:587`: where e-mail is sent through'],
  ['HEDGEROW_MAIL_FROM', 'none', 'whom e-mail is from; needed with `HEDGEROW_SMTP_URL`'],
  ['HEDGEROW_OIDC_ISSUER', 'none', 'who else signs people in, by OpenID Connect: its address'],
  ['HEDGEROW_OIDC_CLIENT_ID', 'none', 'what it calls this server; needed with the issuer'],
  ['HEDGEROW_OIDC_CLIENT_SECRET', 'none', 'what proves it, unless the client is a public one'],
  ['HEDGEROW_OIDC_NAME', 'SSO', 'what people call it: “Sign in with …”'],
  ['HEDGEROW_APP_SEAL', 'preferred', '`required` runs no app where the kernel cannot seal it'],
  ['HEDGEROW_TRUSTED_PROXY', 'none', 'addresses or CIDRs whose `X-Forwarded-*` are believed'],
  ['HEDGEROW_LOG_LEVEL', 'info', '`debug` logs every request; also `warn`, `error`, `silent`'],
] as const

/** These may also be given as a file's path in `<NAME>_FILE`, so that they stay out of `ps` and logs. */
export const SECRETS: readonly string[] = [
  'DATABASE_URL',
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
  readonly secretKey: string | undefined
  /** Without a slash at its end. */
  readonly url: string | undefined
  readonly appHosts: readonly string[]
  /** undefined: e-mail cannot be sent. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | undefined
  /** undefined: people sign in with passwords only. */
  readonly oidc:
    | {
        readonly issuer: string
        readonly clientId: string
        readonly clientSecret: string | undefined
        readonly name: string
      }
    | undefined
  readonly requireSandbox: boolean
  readonly trustedProxy: string | undefined
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly firstStart: {
    readonly apiKey: string | undefined
    readonly email: string | undefined
    readonly password: string | undefined
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The only reader of the environment. Names every problem at once. */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = []
  const value = (name: string) => readVariable(env, name, problems)
  const config: Config = Object.freeze({
    host: value('HEDGEROW_HOST') ?? '127.0.0.1',
    port: toPort(value('HEDGEROW_PORT') ?? value('PORT') ?? '8000', problems),
    dataFolder: resolve(value('HEDGEROW_DATA') ?? 'data'),
    databaseUrl: toDatabaseUrl(value('DATABASE_URL'), problems),
    secretKey: value('HEDGEROW_SECRET_KEY'),
    url: toUrl(value('HEDGEROW_URL'), problems),
    appHosts: toAppHosts(value('HEDGEROW_APP_HOSTS') ?? '', problems),
    mail: toMail(value('HEDGEROW_SMTP_URL'), value('HEDGEROW_MAIL_FROM'), problems),
    oidc: toOidc(value, problems),
    requireSandbox: toSeal(value('HEDGEROW_APP_SEAL') ?? 'preferred', problems),
    trustedProxy: toTrustedProxy(value('HEDGEROW_TRUSTED_PROXY'), problems),
    logLevel: toLogLevel(value('HEDGEROW_LOG_LEVEL') ?? 'info', problems),
    firstStart: Object.freeze({
      apiKey: toApiKey(value('HEDGEROW_API_KEY'), problems),
      email: toEmail(value('HEDGEROW_OWNER_EMAIL'), problems),
      password: value('HEDGEROW_OWNER_PASSWORD'),
    }),
  })
  if (problems.length > 0) throw new OperatorError(problems.join(' '))
  return config
}

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
    problems.push(`HEDGEROW_TRUSTED_PROXY holds "${range}", which is no address or CIDR.`)
  }
  return text
}

function toUrl(text: string | undefined, problems: string[]): string | undefined {
  if (text && !/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    problems.push(`HEDGEROW_URL must start with http:// or https://, not "${text}".`)
  }
  return text?.replace(/\/+$/, '')
}

const HOST_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

function toAppHosts(text: string, problems: string[]): readonly string[] {
  const hosts = text.split(',').flatMap((part) => part.trim() || [])
  for (const host of hosts) {
    if (HOST_NAME.test(host) || isAddressRange(host)) continue
    problems.push(`HEDGEROW_APP_HOSTS holds "${host}", which is no host name, address or CIDR.`)
  }
  return hosts
}

const MAIL_FROM = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

/** The address may hold a password, so it is never repeated. */
function toMail(
  smtpUrl: string | undefined,
  from: string | undefined,
  problems: string[],
): Config['mail'] {
  if (smtpUrl === undefined) return undefined
  const { protocol = '', hostname = '' } = URL.parse(smtpUrl) ?? {}
  if (!/^smtps?:$/.test(protocol) || hostname === '') {
    problems.push('HEDGEROW_SMTP_URL must look like smtp://user:pass@host:587 or smtps://....')
  }
  if (from === undefined || !MAIL_FROM.test(from)) {
    problems.push(
      'HEDGEROW_MAIL_FROM must be an e-mail address, as HEDGEROW_SMTP_URL is set: hedgerow@example.com or Hedgerow <hedgerow@example.com>.',
    )
  }
  return Object.freeze({ smtpUrl, from: from ?? '' })
}

function toOidc(value: (name: string) => string | undefined, problems: string[]): Config['oidc'] {
  const issuer = value('HEDGEROW_OIDC_ISSUER')
  if (issuer === undefined) return undefined
  if (!/^https?:$/.test(URL.parse(issuer)?.protocol ?? '')) {
    problems.push(`HEDGEROW_OIDC_ISSUER must start with https:// or http://, not "${issuer}".`)
  }
  const clientId = value('HEDGEROW_OIDC_CLIENT_ID')
  if (clientId === undefined) {
    problems.push('HEDGEROW_OIDC_CLIENT_ID must be set, as HEDGEROW_OIDC_ISSUER is.')
  }
  return Object.freeze({
    issuer,
    clientId: clientId ?? '',
    clientSecret: value('HEDGEROW_OIDC_CLIENT_SECRET'),
    name: value('HEDGEROW_OIDC_NAME') ?? 'SSO',
  })
}

function toSeal(text: string, problems: string[]): boolean {
  if (text !== 'preferred' && text !== 'required') {
    problems.push(`HEDGEROW_APP_SEAL must be preferred or required, not "${text}".`)
  }
  return text === 'required'
}

function isAddressRange(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return bits === undefined ? most > 0 : Number(bits) > 0 && Number(bits) <= most
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
