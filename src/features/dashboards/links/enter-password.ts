import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#server/db/schema.ts'
import { checkPassword, type PasswordThrottle } from '#server/features/accounts/sessions/sign-in.ts'
import { verifyPassword } from '#server/features/accounts/users/passwords.ts'
import { findLinkInTime, requireOpen } from './open-link.ts'
import { givePass } from './pass.ts'

interface Deps {
  readonly db: Db
  readonly throttle: PasswordThrottle
}

interface Entered {
  readonly token: string
  readonly password: string
}

/** Lets a browser pass that knows the password of a link. Wrong ones are counted by link and network. */
export async function enterPassword(
  { db, throttle }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, password }: Entered,
): Promise<boolean> {
  const { link } = requireOpen(await findLinkInTime(db, token))
  if (link.audience !== 'password') return true
  const attempt = { address: request.ip, email: `link ${link.id}` }
  const isRight = await checkPassword(throttle, attempt, () =>
    verifyPassword(password, link.password_hash),
  )
  if (isRight) givePass(request, reply, link, 'entered')
  return isRight
}
