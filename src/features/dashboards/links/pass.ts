import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, setCookie, usedHttps } from '#server/access/cookies.ts'
import type { LinkRow } from '../link-store.ts'

/** Things that a browser has done at a link: entered its password or a code, or opened it, which counts once. */
const PASSES = {
  entered: { cookie: 'hedgerow_link', seconds: 30 * 86_400 },
  viewed: { cookie: 'hedgerow_view', seconds: 3600 },
} as const
export type Pass = keyof typeof PASSES

/** The path of pages and files of links. */
const PATH = '/shared'

/** Lets a browser continue at a link. A cookie of one link grants nothing at another. `holder`: who the visitor is. */
export function givePass(
  request: FastifyRequest,
  reply: FastifyReply,
  link: LinkRow,
  pass: Pass,
  holder = '',
): void {
  const { cookie, seconds } = PASSES[pass]
  const at = String(Math.floor(Date.now() / 1000))
  const who = Buffer.from(holder).toString('base64url')
  const value = [at, who, sign(link, pass, at, who)].join('.')
  const options = { seconds, isSecure: usedHttps(request), path: PATH }
  setCookie(reply, `${cookie}_${link.id}`, value, options)
}

/** Reads who holds a pass: empty if the pass names nobody, undefined without a pass. */
export function readPass(request: FastifyRequest, link: LinkRow, pass: Pass): string | undefined {
  const { cookie, seconds } = PASSES[pass]
  const value = readCookie(request, `${cookie}_${link.id}`, PATH)
  const [at = '', who = '', signature = ''] = value?.split('.') ?? []
  if (!(Number(at) > Date.now() / 1000 - seconds)) return undefined
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(link, pass, at, who))]
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
  return isSigned ? Buffer.from(who, 'base64url').toString() : undefined
}

/**
 * The hash of the password is salted and secret, so it serves as the key, and a new password ends all passes. A link for
 * people has a key of its own. Otherwise the pass only prevents a view from counting twice, for which the secret address
 * is enough.
 */
const sign = (
  { id, token, password_hash, guest_key }: LinkRow,
  pass: Pass,
  at: string,
  who: string,
): string =>
  createHmac('sha256', password_hash ?? guest_key ?? token)
    .update(`${pass} ${id} ${at} ${who}`)
    .digest('base64url')
