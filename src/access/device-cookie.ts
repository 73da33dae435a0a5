import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/schema.ts'
import { randomText } from '../db/values.ts'
import { readCookie, setCookie } from './cookies.ts'

const NAME = 'hedgerow_device'
const SECONDS = 365 * 86_400

/**
 * Marks the browser as a known device of the account, so that someone guessing passwords cannot lock it out. Grants
 * nothing else. The signature depends on the password, so a new password forgets all devices.
 */
export async function rememberDevice(
  db: Db,
  reply: FastifyReply,
  userId: number,
  isSecure: boolean,
): Promise<void> {
  const users = db.selectFrom('users').select('password_hash').where('id', '=', userId)
  const passwordHash = (await users.executeTakeFirst())?.password_hash
  if (!passwordHash) return
  const device = randomText(22)
  const value = `${device}.${sign(device, passwordHash)}`
  setCookie(reply, NAME, value, { seconds: SECONDS, isSecure })
}

export const readDeviceCookie = (request: FastifyRequest): string | undefined =>
  readCookie(request, NAME)

/** Returns the ID of a device that has signed in to the account with this password, otherwise undefined. */
export function toKnownDevice(
  cookie: string | undefined,
  passwordHash: string | null,
): string | undefined {
  const [device = '', signature = ''] = cookie?.split('.') ?? []
  if (!device || passwordHash === null) return undefined
  const [given, expected] = [signature, sign(device, passwordHash)].map((text) => Buffer.from(text))
  if (!given || !expected || given.length !== expected.length) return undefined
  return timingSafeEqual(given, expected) ? device : undefined
}

/** The hash is salted and secret, so it serves as the key. */
const sign = (device: string, passwordHash: string): string =>
  createHmac('sha256', passwordHash).update(`device ${device}`).digest('base64url')
