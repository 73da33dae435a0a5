import { readdirSync, statSync } from 'node:fs'

/** User IDs from `first` to `last`, which must belong to nobody. */
export interface UserRange {
  readonly first: number
  readonly last: number
}

/** IDs that Debian and systemd assign to nobody, small enough for containers that map only 65,536. */
export const DEFAULT_APP_USERS: UserRange = { first: 60_800, last: 60_999 }

/** Gives each app's process a user of its own, so that no process may signal or inspect another. */
export interface AppUsers {
  /** Returns undefined if all are in use. */
  acquire(): number | undefined
  release(user: number): void
}

export function createAppUsers({ first, last }: UserRange): AppUsers {
  const acquired = new Set<number>()
  let next = first

  return {
    acquire() {
      const running = listUsersOfProcesses()
      for (let tried = first; tried <= last; tried += 1) {
        const user = next
        next = user === last ? first : user + 1
        if (acquired.has(user) || running.has(user)) continue
        acquired.add(user)
        return user
      }
      return undefined
    },
    release: (user) => void acquired.delete(user),
  }
}

/** Another server on this machine may use the same range. */
function listUsersOfProcesses(): ReadonlySet<number> {
  const users = new Set<number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const user = statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid
    if (user !== undefined) users.add(user)
  }
  return users
}
