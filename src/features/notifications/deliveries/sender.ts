import { sanitizeText } from '#server/db/sanitize.ts'
import type { Egress } from '#server/egress/egress.ts'
import { EgressError, type EgressErrorKind } from '#server/egress/egress-error.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { Notification } from './notification.ts'
import { toNotificationMail } from './notification-mail.ts'
import type { Target } from './schema.ts'
import { postWebhook } from './webhook.ts'
import { toWebhookBody } from './webhook-body.ts'

export interface OutgoingDelivery {
  readonly id: string
  readonly target: Target
  readonly notification: Notification
  readonly secret: string
  /** The public URL of the service; undefined: not configured. */
  readonly origin: string | undefined
}

export interface DeliveryOutcome {
  /** The response status of the webhook. */
  readonly status: number | null
  /** undefined: delivered. */
  readonly problem: string | undefined
}

export interface NotificationSender {
  readonly canSendMail: boolean
  /** Checks addresses only; names are checked when they are resolved. */
  isForbiddenHost(hostname: string): boolean
  /** Never throws: failures are part of the outcome. */
  send(delivery: OutgoingDelivery): Promise<DeliveryOutcome>
}

export interface NotificationSenderOptions {
  readonly egress: Egress
  readonly mailer: Mailer
}

const MAX_PROBLEM_LENGTH = 500

export function createNotificationSender({
  egress,
  mailer,
}: NotificationSenderOptions): NotificationSender {
  async function send(delivery: OutgoingDelivery): Promise<DeliveryOutcome> {
    const { id, target, notification, secret, origin } = delivery
    const link = origin === undefined ? null : origin + notification.path
    if (target.type === 'email') {
      const problem = await mailer.send(id, target.address, toNotificationMail(notification, link))
      return { status: null, problem }
    }
    const status = await postWebhook(egress, {
      url: target.url,
      deliveryId: id,
      event: notification.event,
      secret,
      body: JSON.stringify(toWebhookBody(target.format, notification, link)),
    })
    return { status, problem: toStatusProblem(status) }
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
    async send(delivery) {
      try {
        return await send(delivery)
      } catch (error) {
        return { status: null, problem: toProblem(error as Error) }
      }
    },
  }
}

function toStatusProblem(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) {
    return `The webhook responded with ${status}. Redirects are not followed.`
  }
  return `The webhook responded with ${status}.`
}

const EGRESS_PROBLEMS: Partial<Record<EgressErrorKind, string>> = {
  'private-address': 'This is not a public address. HEDGEROW_APP_HOSTS can allow it.',
  'unknown-host': 'The host name cannot be resolved.',
}

function toProblem(error: Error): string {
  const known = error instanceof EgressError ? EGRESS_PROBLEMS[error.kind] : undefined
  const reason = error.message.replace(/^request to .* failed, reason: /s, '')
  return sanitizeText(known ?? (reason || 'The connection was lost.')).slice(0, MAX_PROBLEM_LENGTH)
}
