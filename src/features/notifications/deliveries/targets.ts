import { invalid, required } from '#server/errors.ts'
import type { Target, TargetInput, WebhookFormat } from './schema.ts'
import type { NotificationSender } from './sender.ts'

/** Decides which targets this server can send to. */
export type TargetPolicy = Pick<NotificationSender, 'canSendMail' | 'isForbiddenHost'>

/** Rejects texts that a mail program could read as several addresses or as something else. */
const EMAIL = /^[^\s@<>()[\],;:"\\]{1,64}@[^\s@<>()[\],;:"\\]+\.[^\s@<>()[\],;:"\\.]+$/

export function requireTarget(policy: TargetPolicy, target: TargetInput, attr: string): Target {
  if (target.type === 'email') {
    requireMailConfigured(policy, `${attr}__type`)
    return { type: 'email', address: requireEmailAddress(target.address, `${attr}__address`) }
  }
  return toWebhook(requireUrl(policy, target.url, `${attr}__url`), target.format)
}

export function requireMailConfigured({ canSendMail }: TargetPolicy, attr: string): void {
  if (canSendMail) return
  throw invalid(attr, 'This server cannot send e-mail: HEDGEROW_SMTP_URL is not set.')
}

export function requireEmailAddress(text: string | undefined, attr: string): string {
  if (text === undefined) throw required(attr)
  if (!EMAIL.test(text)) throw invalid(attr, 'Enter a valid email address.')
  return text
}

export function requireUrl(policy: TargetPolicy, text: string | undefined, attr: string): string {
  if (text === undefined) throw required(attr)
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid(attr, 'Enter a valid URL.')
  if (url.username || url.password) {
    throw invalid(
      attr,
      'The URL must not contain a user name or password. Verify the signature instead.',
    )
  }
  if (policy.isForbiddenHost(url.hostname)) {
    throw invalid(attr, 'This is not a public address. HEDGEROW_APP_HOSTS can allow it.')
  }
  return text
}

export const targetAddress = (target: Target): string =>
  target.type === 'webhook' ? target.url : target.address

export const toStoredTarget = (
  type: Target['type'],
  address: string,
  format?: WebhookFormat | null,
): Target => (type === 'webhook' ? toWebhook(address, format) : { type, address })

/** Hosts of incoming webhooks, as Slack and Teams create them. */
const CHATS: readonly (readonly [RegExp, WebhookFormat])[] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/\.(webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/, 'teams'],
]

/** JSON needs no mention. */
function toWebhook(url: string, given: WebhookFormat | null | undefined): Target {
  const host = URL.parse(url)?.hostname ?? ''
  const format = given ?? CHATS.find(([pattern]) => pattern.test(host))?.[1] ?? 'json'
  return { type: 'webhook', url, ...(format !== 'json' && { format }) }
}

export const formatOf = (target: Target): WebhookFormat | null =>
  target.type === 'webhook' ? (target.format ?? 'json') : null

/** Hides the path from the activity log, because it is often the only secret of a webhook. */
export const maskTarget = (target: Target): string =>
  target.type === 'webhook' ? `${URL.parse(target.url)?.origin}/…` : target.address
