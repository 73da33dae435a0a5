export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly name: string
  /** Whether signing in creates a user for an address of one of the domains. */
  readonly createsUsers: boolean
  /** In lower case; `*` is any domain. */
  readonly domains: readonly string[]
  /** Whether passwords are for owners in an emergency only. */
  readonly isOnly: boolean
  /** The claim of the ID token that lists the user's groups. */
  readonly groupsClaim: string
}

type Values = (name: string) => string | undefined

/** Settings that mean nothing without a provider. Ignoring them would quietly drop a protection. */
const DEPENDENT = ['HEDGEROW_OIDC_CREATE', 'HEDGEROW_OIDC_DOMAINS', 'HEDGEROW_OIDC_ONLY'] as const

/** Returns undefined if people sign in with passwords only. Adds to the problems. */
export function toOidc(value: Values, problems: string[]): OidcSettings | undefined {
  const issuer = value('HEDGEROW_OIDC_ISSUER')
  if (issuer === undefined) {
    for (const name of DEPENDENT) {
      if (value(name)) problems.push(`HEDGEROW_OIDC_ISSUER is required with ${name}.`)
    }
    return undefined
  }
  if (!/^https?:$/.test(URL.parse(issuer)?.protocol ?? '')) {
    problems.push(`HEDGEROW_OIDC_ISSUER must start with https:// or http://, not "${issuer}".`)
  }
  const clientId = value('HEDGEROW_OIDC_CLIENT_ID')
  if (clientId === undefined) {
    problems.push('HEDGEROW_OIDC_CLIENT_ID is required with HEDGEROW_OIDC_ISSUER.')
  }
  return Object.freeze({
    issuer,
    clientId: clientId ?? '',
    clientSecret: value('HEDGEROW_OIDC_CLIENT_SECRET'),
    name: value('HEDGEROW_OIDC_NAME') ?? 'SSO',
    ...toCreation(value, problems),
    isOnly: toYes('HEDGEROW_OIDC_ONLY', value, problems),
    groupsClaim: value('HEDGEROW_OIDC_GROUPS_CLAIM') ?? 'groups',
  })
}

const DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

function toCreation(value: Values, problems: string[]) {
  const createsUsers = toYes('HEDGEROW_OIDC_CREATE', value, problems)
  const text = value('HEDGEROW_OIDC_DOMAINS') ?? ''
  const domains = text.split(',').flatMap((part) => part.trim().toLowerCase() || [])
  for (const domain of domains) {
    if (domain === '*' || DOMAIN.test(domain)) continue
    problems.push(`HEDGEROW_OIDC_DOMAINS: "${domain}" is not a domain such as example.com.`)
  }
  // a provider such as Google knows everybody in the world
  if (createsUsers && domains.length === 0) {
    problems.push(
      'HEDGEROW_OIDC_DOMAINS is required with HEDGEROW_OIDC_CREATE=yes; * allows everybody whom the provider knows.',
    )
  }
  return { createsUsers, domains }
}

function toYes(name: string, value: Values, problems: string[]): boolean {
  const text = value(name) ?? 'no'
  if (text !== 'yes' && text !== 'no') problems.push(`${name} must be yes or no, not "${text}".`)
  return text === 'yes'
}
