/** The parts of the library that passkeys use. tools/compile.ts makes them one file, because all its packages are 12 MB. */
export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
