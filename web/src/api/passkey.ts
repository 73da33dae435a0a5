import { ApiError } from './client.ts'

type Options = { readonly challenge: string }

/** Tells whether this browser can use passkeys. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** Asks the device for a new passkey. */
export const createCredential = (options: Options): Promise<unknown> =>
  askDevice(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as unknown as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  )

/** Asks the device to sign in with one of its passkeys. */
export const getCredential = (options: Options): Promise<unknown> =>
  askDevice(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as unknown as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  )

async function askDevice(ask: () => Promise<Credential | null>): Promise<unknown> {
  try {
    return ((await ask()) as PublicKeyCredential | null)?.toJSON()
  } catch (error) {
    throw new ApiError(0, { code: 'device', detail: toDetail(error as Error) })
  }
}

const toDetail = ({ name }: Error): string =>
  name === 'InvalidStateError'
    ? 'This device already has a passkey of your account.'
    : 'The device did not confirm, or it took too long. Try again.'
