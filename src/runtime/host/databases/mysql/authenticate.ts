import { constants, createHash, publicEncrypt } from 'node:crypto'

/** Returns the response to a challenge, for the method that the server names. */
export function toAuthResponse(method: string, password: string, nonce: Buffer): Buffer {
  if (method === 'mysql_native_password') return toNative(password, nonce)
  if (method === 'caching_sha2_password') return toSha2(password, nonce)
  throw new Error(
    `the server signs in this user by "${method}". Use a user with caching_sha2_password or mysql_native_password`,
  )
}

const digest = (algorithm: string, ...parts: Buffer[]): Buffer => {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const xor = (left: Buffer, right: Buffer): Buffer =>
  Buffer.from(left.map((byte, index) => byte ^ (right[index % right.length] as number)))

function toNative(password: string, nonce: Buffer): Buffer {
  if (password === '') return Buffer.alloc(0)
  const once = digest('sha1', Buffer.from(password))
  return xor(once, digest('sha1', nonce, digest('sha1', once)))
}

function toSha2(password: string, nonce: Buffer): Buffer {
  if (password === '') return Buffer.alloc(0)
  const once = digest('sha256', Buffer.from(password))
  return xor(once, digest('sha256', digest('sha256', once), nonce))
}

/** The password as it is sent over TLS. */
export const toClearPassword = (password: string): Buffer => Buffer.from(`${password}\0`)

/** Encrypts the password with the server's key, for a connection without TLS. */
export const encryptPassword = (password: string, nonce: Buffer, publicKey: string): Buffer =>
  publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING },
    xor(toClearPassword(password), nonce),
  )
