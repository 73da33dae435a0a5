export interface MailSettings {
  readonly smtpUrl: string
  readonly from: string
}

const MAIL_FROM = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

/** Returns undefined if e-mail cannot be sent. Never repeats the URL, which may contain a password. */
export function toMail(
  smtpUrl: string | undefined,
  from: string | undefined,
  problems: string[],
): MailSettings | undefined {
  if (smtpUrl === undefined) return undefined
  const { protocol = '', hostname = '' } = URL.parse(smtpUrl) ?? {}
  if (!/^smtps?:$/.test(protocol) || hostname === '') {
    problems.push('HEDGEROW_SMTP_URL must look like smtp://user:pass@host:587 or smtps://....')
  }
  if (from === undefined || !MAIL_FROM.test(from)) {
    problems.push(
      'HEDGEROW_MAIL_FROM is required with HEDGEROW_SMTP_URL. Use hedgerow@example.com or Hedgerow <hedgerow@example.com>.',
    )
  }
  return Object.freeze({ smtpUrl, from: from ?? '' })
}
