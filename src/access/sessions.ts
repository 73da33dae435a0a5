import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Db } from '../db/schema.ts'
import { inSeconds, now, randomText } from '../db/values.ts'
import { usedHttps } from './cookies.ts'
import { rememberDevice } from './device-cookie.ts'
import { describeUser, type Principal } from './keys.ts'
import { setSessionCookie } from './session-cookie.ts'

export const SESSION_SECONDS = 30 * 86_400

/** A fast hash is enough, because a token is too random to guess. */
export const hashToken = (token: string): string => `sha256$${hash('sha256', token)}`

/** Generates a token of 256 random bits. */
export const generateToken = (): string => randomText(43)

/** Signs a user in and sets the cookies in the response. */
export async function startSession(
  db: Db,
  reply: FastifyReply,
  userId: number,
  isSecure = usedHttps(reply.request),
): Promise<void> {
  const { request } = reply
  const userAgent = request.headers['user-agent'] ?? ''
  const token = await insertSession(db, { userId, userAgent, address: request.ip })
  setSessionCookie(reply, token, SESSION_SECONDS, isSecure)
  await rememberDevice(db, reply, userId, isSecure)
}

export interface NewSession {
  readonly userId: number
  readonly userAgent: string
  readonly address: string
}

/** Returns the session's token. Bumps no version, because a new session makes no cached data stale. */
export async function insertSession(db: Db, session: NewSession): Promise<string> {
  const token = generateToken()
  const at = now()
  await db.deleteFrom('sessions').where('expires_at', '<=', at).execute()
  await db
    .insertInto('sessions')
    .values({
      id: randomText(22),
      hash: hashToken(token),
      user_id: session.userId,
      user_agent: sanitizeUserAgent(session.userAgent),
      address: session.address,
      created_at: at,
      last_used_at: at,
      expires_at: inSeconds(SESSION_SECONDS),
    })
    .execute()
  return token
}

/** Keeps printable ASCII only, since a header may contain any bytes. */
const sanitizeUserAgent = (userAgent: string): string =>
  userAgent.replace(/[^\x20-\x7e]/g, '?').slice(0, 400)

export async function findSessionPrincipal(db: Db, token: string): Promise<Principal | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'user_id', 'level', 'current_project_id', 'expires_at', 'last_used_at'])
    .where('hash', '=', hashToken(token))
    .where('removed_at', 'is', null) // a user removed during sign-in may still have got a session
    .executeTakeFirst()
  if (!row) return undefined
  return {
    keyId: row.id,
    isSession: true,
    ...(await describeUser(db, row)),
    scopes: new Set(['*']),
    projects: undefined,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}

export async function updateSessionLastUsed(db: Db, id: string): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: now() }).where('id', '=', id).execute()
}
