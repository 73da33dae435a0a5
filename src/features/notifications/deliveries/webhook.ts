import type { Egress } from '#server/egress/egress.ts'
import { sendRequest } from '#server/egress/send-request.ts'
import { signPayload } from './signature.ts'

export interface WebhookRequest {
  readonly url: string
  readonly delivery: string
  readonly event: string
  readonly secret: string
  readonly body: string
}

const TIMEOUT_MS = 10_000

/** What it answered. A redirect is an answer like any other: where it leads to, nobody has been asked. */
export async function postWebhook(egress: Egress, post: WebhookRequest): Promise<number> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const payload = Buffer.from(post.body)
  const headers = new Map([
    ['content-type', 'application/json'],
    ['user-agent', 'Hedgerow'],
    ['x-hedgerow-signature', signPayload(post.secret, post.body, Math.floor(Date.now() / 1000))],
    ['x-hedgerow-delivery', post.delivery],
    ['x-hedgerow-event', post.event],
  ])
  const url = new URL(post.url)
  const question = { url, method: 'POST', headers, redirect: 'manual', follow: 0 } as const
  try {
    const { response } = await sendRequest({
      egress,
      question: { ...question, body: undefined },
      payload,
      signal,
      isSecret: () => false,
    })
    response.body.on('error', () => {}).destroy() // nobody reads it, however long it is
    return response.statusCode
  } catch (error) {
    throw signal.aborted ? new Error(`No answer within ${TIMEOUT_MS / 1000} s.`) : error
  }
}
