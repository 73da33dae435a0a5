import type { Egress } from '#server/egress/egress.ts'
import { sendRequest } from '#server/egress/send-request.ts'
import { signPayload } from './signature.ts'

export interface WebhookRequest {
  readonly url: string
  readonly deliveryId: string
  readonly event: string
  readonly secret: string
  readonly body: string
}

const TIMEOUT_MS = 10_000

/** Returns the response's status. A redirect is not followed, because the user has not chosen its target. */
export async function postWebhook(egress: Egress, webhook: WebhookRequest): Promise<number> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const payload = Buffer.from(webhook.body)
  const headers = new Map([
    ['content-type', 'application/json'],
    ['user-agent', 'Hedgerow'],
    [
      'x-hedgerow-signature',
      signPayload(webhook.secret, webhook.body, Math.floor(Date.now() / 1000)),
    ],
    ['x-hedgerow-delivery', webhook.deliveryId],
    ['x-hedgerow-event', webhook.event],
  ])
  try {
    const { response } = await sendRequest(egress, {
      url: new URL(webhook.url),
      method: 'POST',
      headers,
      payload,
      redirect: 'manual',
      maxRedirects: 0,
      signal,
    })
    response.body.on('error', () => {}).destroy() // the body is not needed
    return response.statusCode
  } catch (error) {
    throw signal.aborted ? new Error(`No response within ${TIMEOUT_MS / 1000} s.`) : error
  }
}
