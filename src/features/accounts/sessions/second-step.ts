import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, setCookie, usedHttps } from '#server/access/cookies.ts'
import { startSession } from '#server/access/sessions.ts'
import { changeUncached } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { countPasskeys } from '../second-factor/passkeys-store.ts'
import { countRecoveryCodes, hasAuthenticatorApp, hasSecondFactor } from '../second-factor/store.ts'
import {
  type CodeKind,
  type CodeThrottle,
  countCode,
  requireCode,
} from '../second-factor/use-code.ts'
import {
  consumeOneTimeToken,
  deleteSpentTokens,
  findOneTimeTokenUser,
  insertOneTimeToken,
} from './one-time-tokens-store.ts'
import type { SecondStep } from './schema.ts'

/** Holds the token of a sign-in that waits for its code. It opens nothing else. */
const COOKIE = 'hedgerow_second_step'
const SECONDS = 600

/**
 * Signs in a user who has proved to know the password, or to have a link in its place. Returns the second step if the
 * user has a second factor; there is no session before that is done.
 */
export async function passFirstStep(
  tx: Tx,
  reply: FastifyReply,
  userId: number,
): Promise<SecondStep | undefined> {
  if (!(await hasSecondFactor(tx, userId))) {
    await startSession(tx, reply, userId)
    return undefined
  }
  await deleteSpentTokens(tx, userId, 'second_step')
  const token = await insertOneTimeToken(tx, 'second_step', userId, SECONDS)
  setCookie(reply, COOKIE, token, { seconds: SECONDS, isSecure: usedHttps(reply.request) })
  return { methods: await listMethods(tx, userId) }
}

async function listMethods(tx: Tx, userId: number): Promise<SecondStep['methods']> {
  const methods: SecondStep['methods'] = []
  if (await hasAuthenticatorApp(tx, userId)) methods.push('app')
  if ((await countPasskeys(tx, userId)) > 0) methods.push('passkey')
  if ((await countRecoveryCodes(tx, userId)) > 0) methods.push('recovery')
  return methods
}

export const sendFirstStep = (reply: FastifyReply, step: SecondStep | undefined): FastifyReply =>
  step ? reply.code(200).send(step) : sendEmpty(reply, 204)

interface SecondStepDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly codeThrottle: CodeThrottle
}

/** Starts the session. The code and the token are used up together, or neither. */
export async function passSecondStep(
  { db, secrets, codeThrottle }: SecondStepDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  code: string,
): Promise<{ readonly userId: number; readonly kind: CodeKind }> {
  const token = readCookie(request, COOKIE) ?? ''
  const userId = await findOneTimeTokenUser(db, 'second_step', token)
  if (userId === undefined) throw expiredStep()
  const kind = await countCode(codeThrottle, { userId, address: request.ip }, () =>
    changeUncached(db, async (tx) => {
      const used = await requireCode(tx, secrets, userId, code)
      const owner = await consumeOneTimeToken(tx, 'second_step', token)
      if (owner === undefined) throw expiredStep() // a new password ended it meanwhile
      await startSession(tx, reply, userId)
      return used
    }),
  )
  setCookie(reply, COOKIE, '', { seconds: 0, isSecure: usedHttps(request) })
  return { userId, kind }
}

const expiredStep = () => invalid(null, 'This sign-in has expired. Enter your password again.')
