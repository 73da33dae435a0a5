import { hashPassword } from '#server/features/accounts/users/passwords.ts'

/** Hashes a password at the lowest cost: a real hash takes 50 ms of CPU time for each sign-in that fails. */
export const cheapHash = (password: string): Promise<string> =>
  hashPassword(password, { N: 64, r: 8, p: 1 })
