export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly name: string
}

/** Returns undefined if people sign in with passwords only. Adds to the problems. */
export function toOidc(
  value: (name: string) => string | undefined,
  problems: string[],
): OidcSettings | undefined {
  const issuer = value('HEDGEROW_OIDC_ISSUER')
  if (issuer === undefined) return undefined
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
  })
}
