import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#server/db/schema.ts'
import type { LinkRow } from '../link-store.ts'
import { findGuest } from './guest-store.ts'
import { givePass, readPass } from './pass.ts'

interface Guest {
  readonly id: number
  readonly address: string
}

export const giveGuestPass = (
  request: FastifyRequest,
  reply: FastifyReply,
  link: LinkRow,
  { id, address }: Guest,
): void => givePass(request, reply, link, 'entered', `${id} ${address}`)

/** Finds the address of the guest whose browser sends a request, unless they are no longer invited. */
export async function findPassedGuest(
  db: Db,
  request: FastifyRequest,
  link: LinkRow,
): Promise<string | undefined> {
  const [id, address] = readPass(request, link, 'entered')?.split(' ') ?? []
  if (!id || !address) return undefined
  return (await findGuest(db, link.id, address, Number(id))) && address
}
