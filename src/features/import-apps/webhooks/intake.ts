import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { ApiError, BusyError, notFound } from '#server/errors.ts'
import { METHODS, type Receives } from '../plugins/package/receives.ts'
import { toBodyText } from './body.ts'
import { findSlackChallenge, findUnsignedChallenge } from './challenge.ts'
import { toDeliveryId } from './delivery.ts'
import { createReceivers, type OpenReceiver, type ReceiverDeps } from './receivers.ts'
import { createReceivedStore, type StoreDeps } from './store-received.ts'
import { isVerified, type Verification } from './verify.ts'
import { hasWaiting } from './waiting-store.ts'

export type IntakeDeps = ReceiverDeps & StoreDeps

export interface ReceivedRequest {
  readonly method: string
  /** The part of the URL after the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** The bytes as they were sent, perhaps compressed. */
  readonly body: Buffer
}

export interface IntakeResponse {
  readonly status: number
  readonly type: 'text/plain' | 'application/json'
  readonly body: string
}

/** More waiting requests than this are refused until the app has caught up. */
const MAX_WAITING = 500_000
/** Counting half a million takes 50 ms, so it happens every few seconds. */
const CHECKED_FOR_MS = 5000

/** Takes requests of other services: verifies them and stores them before it responds. */
export function createIntake(deps: IntakeDeps) {
  const { db } = deps
  const storeReceived = createReceivedStore(deps)
  const findOpenReceiver = createReceivers(deps)
  const fullness = new LRUCache<number, boolean>({ max: 1000, ttl: CHECKED_FOR_MS })

  return async function receive(token: string, received: ReceivedRequest): Promise<IntakeResponse> {
    const receiver = await findOpenReceiver(token)
    if (!receiver || !isOpen(receiver)) throw notFound('Address')
    const { receives, verification } = receiver
    requireMethod(receives, received.method)
    const headers = toHeaders(received.headers)
    const encoding = (headers['content-encoding'] ?? 'identity').toLowerCase()
    const { unpacked, text } = await toBodyText(received.body, encoding, receives.max_body)
    const query = new URLSearchParams(received.query)
    const asked = { method: received.method, query, body: text }
    const unsigned = findUnsignedChallenge(verification, asked)
    if (unsigned !== undefined) return { status: 200, type: 'text/plain', body: unsigned }
    // some senders sign what they packed, others what they sent
    const isKnown = [received.body, unpacked].some((body) =>
      isVerified(verification, { headers, body }, Date.now()),
    )
    if (!isKnown) throw new ApiError('authentication_failed', 'Not authenticated.')
    const challenge = findSlackChallenge(verification, asked)
    if (challenge !== undefined) return { status: 200, type: 'text/plain', body: challenge }
    await requireRoom(receiver.configId)
    await store(receiver, { ...received, headers, text })
    const { status, body } = receives.respond
    return { status, type: 'application/json', body }
  }

  async function requireRoom(configId: number): Promise<void> {
    if (await isFull(configId)) {
      throw new BusyError('Too many requests wait for this app. Try again later.')
    }
  }

  /** Remembers what it found from then on, however many requests come meanwhile. */
  async function isFull(configId: number): Promise<boolean> {
    const known = fullness.get(configId)
    if (known !== undefined) return known
    const found = await hasWaiting(db, configId, MAX_WAITING)
    fullness.set(configId, found)
    return found
  }

  function store(
    receiver: OpenReceiver,
    { method, query, headers, body, text }: ReceivedRequest & StoredParts,
  ): Promise<void> {
    const { receives, verification } = receiver
    const { id_header } = receives
    const request = {
      delivery: toDeliveryId(verification.kind, id_header, { headers, body: text }),
      method,
      contentType: headers['content-type'] ?? '',
      size: body.length,
      query,
      headers: withoutSecrets(headers, verification),
      body: text,
    }
    return storeReceived({ receiver, request })
  }
}

interface StoredParts {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const isOpen = ({ isEnabled, intake }: OpenReceiver): boolean =>
  isEnabled || intake.while_disabled === 'hold'

function requireMethod({ methods }: Receives, method: string): void {
  if (methods.some((each) => each === method)) return
  const allow = METHODS.filter((each) => methods.includes(each)).join(', ')
  throw new ApiError('method_not_allowed', `Method "${method}" not allowed.`, null, { allow })
}

const toHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )

const SECRET_HEADERS =
  /^(authorization|proxy-authorization|cookie)$|token|secret|api-?key|signature|hmac/
const MASK = '****************'

/** Masks the headers that hold secrets, because requests are shown to everyone who can see the config. */
const withoutSecrets = (
  headers: Readonly<Record<string, string>>,
  { header }: Verification,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.test(name) || name === header ? MASK : value,
    ]),
  )
