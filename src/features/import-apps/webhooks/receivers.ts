import { LRUCache } from 'lru-cache'
import type { CacheStamp, CacheStamps } from '#server/db/cache-stamps.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { type Receives, VERIFY_KINDS, type VerifyKind } from '../plugins/package/receives.ts'
import { getOwn, type Settings } from '../setting-rules.ts'
import { findReceiver, type Receiver } from './store.ts'
import type { Verification } from './verify.ts'

export interface ReceiverDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly stamps: CacheStamps
}

export interface OpenReceiver extends Receiver {
  readonly verification: Verification
}

interface Known {
  readonly receiver: OpenReceiver
  /** The versions before it was read. */
  readonly stamp: CacheStamp
}

const MAX_KNOWN = 1000

/**
 * Finds the receivers of addresses. What was found is kept until something of its project, or an app, changes: on SQLite
 * a read waits for the commit that is on its way to the disk, so that a request waited for two of them.
 */
export function createReceivers({ db, secrets, stamps }: ReceiverDeps) {
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN })

  async function find(token: string): Promise<OpenReceiver | undefined> {
    const receiver = await findReceiver(db, token)
    return receiver && { ...receiver, verification: open(receiver) }
  }

  function open({ receives, defaults, settings }: Receiver): Verification {
    const own: Settings = JSON.parse(secrets.decryptText(settings))
    return toVerification(receives, { ...defaults, ...own })
  }

  return async (token: string): Promise<OpenReceiver | undefined> => {
    const before = known.get(token)
    const projectId = before?.receiver.projectId ?? (await findReceiver(db, token))?.projectId
    if (projectId === undefined) return undefined
    const stamp = await stamps.read(projectId, 0)
    if (before && isEqual(before.stamp, stamp) && !hasExpired(before.receiver)) {
      return before.receiver
    }
    const receiver = await find(token)
    if (receiver) known.set(token, { receiver, stamp })
    else known.delete(token)
    return receiver
  }
}

const isEqual = (one: CacheStamp, other: CacheStamp): boolean =>
  one.access === other.access && one.project === other.project

const hasExpired = ({ expiresAt }: Receiver): boolean => expiresAt !== null && expiresAt <= now()

function toVerification({ verify }: Receives, settings: Settings): Verification {
  const read = (value: string | { readonly setting: string } | undefined): string => {
    if (value === undefined || typeof value === 'string') return value ?? ''
    const chosen = getOwn(settings, value.setting)
    return typeof chosen === 'string' ? chosen : ''
  }
  const kind = read(verify.kind)
  return {
    // a kind that is not chosen yet must not let everyone in
    kind: VERIFY_KINDS.includes(kind as VerifyKind) ? (kind as VerifyKind) : 'token',
    secret: verify.secret === undefined ? '' : read({ setting: verify.secret }),
    header: read(verify.header).toLowerCase(),
  }
}
