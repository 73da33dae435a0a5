import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Db } from '../db/schema.ts'
import { flag, inSeconds, now, randomText } from '../db/values.ts'
import { usedHttps } from './cookies.ts'
import { rememberDevice } from './device-cookie.ts'
import { describeUser, type Principal } from './keys.ts'
import { toSecondFactorDue } from './second-factor-rule.ts'
import { setSessionCookie } from './session-cookie.ts'

export const SESSION_SECONDS = 30 * 86_400

/** A fast hash is enough, because a token is too random to guess. */
export const hashToken = (token: string): string => `sha256$${hash('sha256', token)}`

/** Generates a token of 256 random bits. */
export const generateToken = (): string => randomText(43)

interface StartOptions {
  readonly isSecure?: boolean
  readonly isFromProvider?: boolean
}

/** Signs a user in and sets the cookies in the response. */
export async function startSession(
  db: Db,
  reply: FastifyReply,
  userId: number,
  { isSecure = usedHttps(reply.request), isFromProvider = false }: StartOptions = {},
): Promise<void> {
  const { request } = reply
  const userAgent = request.headers['user-agent'] ?? ''
  const session = { userId, userAgent, address: request.ip, isFromProvider }
  const token = await insertSession(db, session)
  setSessionCookie(reply, token, SESSION_SECONDS, isSecure)
  await rememberDevice(db, reply, userId, isSecure)
}

export interface NewSession {
  readonly userId: number
  readonly userAgent: string
  readonly address: string
  /** Whether an identity provider has signed the user in. */
  readonly isFromProvider?: boolean
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
      is_from_provider: flag(session.isFromProvider ?? false),
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
    .leftJoin('second_factors', 'second_factors.user_id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id', 'level', 'current_project_id', 'expires_at'])
    .select(['last_used_at', 'is_from_provider', 'users.created_at as joined_at', 'confirmed_at'])
    .select((eb) => [
      eb
        .exists(
          eb.selectFrom('passkeys').select('id').whereRef('passkeys.user_id', '=', 'users.id'),
        )
        .as('has_passkey'),
    ])
    .where('hash', '=', hashToken(token))
    .where('removed_at', 'is', null) // a user removed during sign-in may still have got a session
    .executeTakeFirst()
  if (!row) return undefined
  const { rule, ...user } = await describeUser(db, row)
  return {
    keyId: row.id,
    isSession: true,
    ...user,
    scopes: new Set(['*']),
    projects: undefined,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    secondFactorDue: toSecondFactorDue(rule, {
      joinedAt: row.joined_at,
      hasSecondFactor: row.confirmed_at !== null || Boolean(row.has_passkey),
      isFromProvider: row.is_from_provider === 1,
    }),
  }
}

export async function updateSessionLastUsed(db: Db, id: string): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: now() }).where('id', '=', id).execute()
}
