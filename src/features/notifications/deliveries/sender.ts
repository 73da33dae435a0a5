import { toStorableText } from '#server/db/storable.ts'
import { createEgress } from '#server/egress/egress.ts'
import { EgressError, type EgressErrorKind } from '#server/egress/egress-error.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { Notification } from './notification.ts'
import { toNotificationMail } from './notification-mail.ts'
import type { Target } from './schema.ts'
import { postWebhook } from './webhook.ts'

export interface OutgoingDelivery {
  readonly id: string
  readonly target: Target
  readonly notification: Notification
  readonly secret: string
  /** Where people reach the service; undefined: nobody has said. */
  readonly origin: string | undefined
}

export interface DeliveryOutcome {
  /** Of a webhook, if it answered. */
  readonly status: number | null
  /** undefined: it has arrived. */
  readonly problem: string | undefined
}

/** The way out. */
export interface NotificationSender {
  readonly canSendMail: boolean
  /** An address that may not be sent to. Names are judged when they are resolved. */
  isForbiddenHost(hostname: string): boolean
  /** Never throws: whatever goes wrong is the answer. */
  send(parcel: OutgoingDelivery): Promise<DeliveryOutcome>
  close(): Promise<void>
}

export interface NotificationSenderOptions {
  readonly allowedHosts: readonly string[]
  readonly mailer: Mailer
}

const MAX_PROBLEM = 500

export function createNotificationSender({
  allowedHosts,
  mailer,
}: NotificationSenderOptions): NotificationSender {
  const egress = createEgress({ allowedHosts })

  async function carry({
    id,
    target,
    notification,
    secret,
    origin,
  }: OutgoingDelivery): Promise<DeliveryOutcome> {
    const { path, ...told } = notification
    const link = origin === undefined ? null : origin + path
    if (target.type === 'email') {
      const problem = await mailer.send(id, target.address, toNotificationMail(notification, link))
      return { status: null, problem }
    }
    const body = JSON.stringify({ ...told, url: link })
    const post = { url: target.url, delivery: id, event: notification.event, secret, body }
    const status = await postWebhook(egress, post)
    return { status, problem: toProblem(status) }
  }

  return {
    canSendMail: mailer.isConfigured,
    isForbiddenHost(hostname) {
      try {
        egress.requireAllowed(hostname)
        return false
      } catch {
        return true
      }
    },
    send: (parcel) =>
      carry(parcel).catch((error) => ({
        status: null,
        problem: toProblemText(error as Error),
      })),
    close: () => egress.close(),
  }
}

function toProblem(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `It answered ${status}. Redirects are not followed.`
  return `It answered ${status}.`
}

const EGRESS_PROBLEMS: Partial<Record<EgressErrorKind, string>> = {
  'private-address': 'The address is not a public one. HEDGEROW_APP_HOSTS can allow it.',
  'unknown-host': 'The host name is not known.',
}

function toProblemText(error: Error): string {
  const known = error instanceof EgressError ? EGRESS_PROBLEMS[error.kind] : undefined
  const reason = error.message.replace(/^request to .* failed, reason: /s, '')
  return toStorableText(known ?? (reason || 'The connection broke.')).slice(0, MAX_PROBLEM)
}
