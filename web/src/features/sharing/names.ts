import type { Member } from './api.ts'

/** As people call each other; who has no name is called by their address. */
export const displayName = ({ first_name, last_name, email }: Member['user']): string =>
  `${first_name} ${last_name}`.trim() || email
