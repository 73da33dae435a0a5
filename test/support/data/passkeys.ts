import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'
import { expect } from 'vitest'
import type { Client } from '../app/app.ts'

export const PASSKEYS = '/api/users/@me/passkeys'
export const SIGN_IN = '/api/sign_in/passkey'
export const SITE = 'https://hedgerow.example'

const USER_PRESENT = 1
const USER_VERIFIED = 4
const HAS_CREDENTIAL = 64

/** Deviations of a device, or of a program that pretends to be one. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly isUnverified?: boolean
  readonly counter?: number
  readonly type?: string
  readonly userHandle?: string
  readonly challenge?: string
}

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')

/** A device with one key, which does what WebAuthn asks of it. */
export function createDevice() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const named = { id: base64(id), rawId: base64(id), type: 'public-key' }

  const toClientData = (type: string, challenge: string, { origin = SITE, ...other }: Deviation) =>
    JSON.stringify({
      type: other.type ?? type,
      challenge: other.challenge ?? challenge,
      origin,
      crossOrigin: false,
    })

  function toAuthenticatorData(flags: number, deviation: Deviation): Buffer {
    const { rpId = new URL(SITE).hostname, isUnverified, counter = 0 } = deviation
    const all = flags | USER_PRESENT | (isUnverified ? 0 : USER_VERIFIED)
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    return Buffer.concat([hash('sha256', rpId, 'buffer'), Buffer.from([all]), counted])
  }

  return {
    create({ challenge }: { challenge: string }, deviation: Deviation = {}) {
      const key = Buffer.concat([
        Buffer.from('a501020326200121' + '5820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const length = Buffer.from([0, id.length])
      const data = toAuthenticatorData(HAS_CREDENTIAL, deviation)
      const authData = Buffer.concat([data, Buffer.alloc(16), length, id, key])
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068', 'hex'),
        Buffer.from('authData'),
        Buffer.from([0x59, authData.length >> 8, authData.length & 255]),
        authData,
      ])
      const clientDataJSON = base64(toClientData('webauthn.create', challenge, deviation))
      const response = { clientDataJSON, attestationObject: base64(attestationObject) }
      return { ...named, response: { ...response, transports: ['internal'] } }
    },

    get({ challenge }: { challenge: string }, deviation: Deviation = {}) {
      const data = toAuthenticatorData(0, deviation)
      const clientData = toClientData('webauthn.get', challenge, deviation)
      const signed = Buffer.concat([data, hash('sha256', clientData, 'buffer')])
      return {
        ...named,
        response: {
          clientDataJSON: base64(clientData),
          authenticatorData: base64(data),
          signature: base64(sign('sha256', signed, privateKey)),
          ...(deviation.userHandle && { userHandle: base64(deviation.userHandle) }),
        },
      }
    },
  }
}

/** Creates a passkey on a new device. */
export async function addPasskey(client: Client, proof: object = {}) {
  const device = createDevice()
  const options = await client.post(`${PASSKEYS}/options`, proof)
  expect(options.status).toBe(200)
  const credential = device.create(options.body)
  const created = await client.post(PASSKEYS, { name: 'Laptop', credential })
  expect(created.status).toBe(201)
  return { device, created: created.body }
}
