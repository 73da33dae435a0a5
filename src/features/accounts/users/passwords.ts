import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { MIN_PASSWORD } from '#model/limits.ts'
import { invalid } from '#server/errors.ts'

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** Costs 16 MiB and about 50 ms per guess. The parameters are stored with the hash, so they can be raised later. */
const COST: Cost = { N: 16384, r: 8, p: 1 }
const LENGTH = 32

/** Hashing longer passwords only costs time. */
export const MAX_PASSWORD = 200

export async function hashPassword(password: string, cost: Cost = COST): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, cost)
  const { N, r, p } = cost
  return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$')
}

/** Takes the same time with and without a hash, because response times must not reveal accounts. */
export async function verifyPassword(password: string, hashed: string | null): Promise<boolean> {
  if (hashed === null) {
    await hashPassword(password)
    return false
  }
  const { cost, salt, key } = parse(hashed)
  return timingSafeEqual(await deriveKey(password, salt, cost), key)
}

/** Tells whether the hash was created with a lower cost. */
export const needsRehash = (hashed: string): boolean => {
  const { N, r, p } = parse(hashed).cost
  return N !== COST.N || r !== COST.r || p !== COST.p
}

export function requirePassword(attr: string, password: string): void {
  if ([...password].length >= MIN_PASSWORD) return
  throw invalid(attr, `Use at least ${MIN_PASSWORD} characters.`)
}

const deriveKey = (password: string, salt: Buffer, cost: Cost): Promise<Buffer> =>
  derive(password.normalize('NFKC'), salt, LENGTH, { ...cost, maxmem: 256 * cost.N * cost.r })

function parse(hashed: string) {
  const [, N, r, p, salt = '', key = ''] = hashed.split('$')
  const cost: Cost = { N: Number(N), r: Number(r), p: Number(p) }
  return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
}
