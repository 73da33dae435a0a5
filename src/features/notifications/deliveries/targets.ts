import { invalid } from '#server/errors.ts'
import type { Target, TargetInput } from './schema.ts'
import type { NotificationSender } from './sender.ts'

/** What can be sent to from here. */
export type TargetPolicy = Pick<NotificationSender, 'canSendMail' | 'isForbiddenHost'>

/** Whatever mail programs would read as more than one address, or as something else, is none. */
const EMAIL = /^[^\s@<>()[\],;:"\\]{1,64}@[^\s@<>()[\],;:"\\]+\.[^\s@<>()[\],;:"\\.]+$/

export function requireTarget(
  targetPolicy: TargetPolicy,
  target: TargetInput,
  attr: string,
): Target {
  if (target.type === 'email') {
    requireMailConfigured(targetPolicy, `${attr}__type`)
    return { type: 'email', address: requireAddress(target.address, `${attr}__address`) }
  }
  return { type: 'webhook', url: requireUrl(targetPolicy, target.url, `${attr}__url`) }
}

export function requireMailConfigured({ canSendMail }: TargetPolicy, attr: string): void {
  if (canSendMail) return
  throw invalid(attr, 'This server sends no e-mail: HEDGEROW_SMTP_URL is not set.')
}

export function requireAddress(text: string | undefined, attr: string): string {
  if (text === undefined) throw invalid(attr, 'This field is required.', 'required')
  if (!EMAIL.test(text)) throw invalid(attr, 'Enter a valid email address.')
  return text
}

export function requireUrl(
  targetPolicy: TargetPolicy,
  text: string | undefined,
  attr: string,
): string {
  if (text === undefined) throw invalid(attr, 'This field is required.', 'required')
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid(attr, 'Enter a valid URL.')
  if (url.username || url.password) {
    throw invalid(attr, 'The address may hold no user name or password: check the signature.')
  }
  if (targetPolicy.isForbiddenHost(url.hostname)) {
    throw invalid(attr, 'The address is not a public one. HEDGEROW_APP_HOSTS can allow it.')
  }
  return text
}

export const toAddress = (target: Target): string =>
  target.type === 'webhook' ? target.url : target.address

export const toTarget = (type: Target['type'], address: string): Target =>
  type === 'webhook' ? { type, url: address } : { type, address }

/** For the activity log: the path of a webhook is often all that keeps strangers from calling it. */
export const maskTarget = (target: Target): string =>
  target.type === 'webhook' ? `${URL.parse(target.url)?.origin}/…` : target.address
