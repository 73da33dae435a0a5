import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, setCookie, usedHttps } from '#server/access/cookies.ts'
import type { LinkRow } from '../link-store.ts'

/** Things that a browser has done at a link: entered its password, or opened it, which counts once. */
const PASSES = {
  entered: { cookie: 'hedgerow_link', seconds: 30 * 86_400 },
  viewed: { cookie: 'hedgerow_view', seconds: 3600 },
} as const
export type Pass = keyof typeof PASSES

/** Lets a browser continue at a link. A cookie of one link grants nothing at another. */
export function givePass(
  request: FastifyRequest,
  reply: FastifyReply,
  link: LinkRow,
  pass: Pass,
): void {
  const { cookie, seconds } = PASSES[pass]
  const at = String(Math.floor(Date.now() / 1000))
  const options = { seconds, isSecure: usedHttps(request) }
  setCookie(reply, `${cookie}_${link.id}`, `${at}.${sign(link, pass, at)}`, options)
}

export function hasPass(request: FastifyRequest, link: LinkRow, pass: Pass): boolean {
  const { cookie, seconds } = PASSES[pass]
  const [at = '', signature = ''] = readCookie(request, `${cookie}_${link.id}`)?.split('.') ?? []
  if (!(Number(at) > Date.now() / 1000 - seconds)) return false
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(link, pass, at))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * The hash of the password is salted and secret, so it serves as the key, and a new password ends all passes. Without a
 * password the pass only prevents a view from counting twice, for which the secret address is enough.
 */
const sign = ({ id, token, password_hash }: LinkRow, pass: Pass, at: string): string =>
  createHmac('sha256', password_hash ?? token)
    .update(`${pass} ${id} ${at}`)
    .digest('base64url')
