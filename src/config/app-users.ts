/** A range of user IDs. */
export interface AppUsers {
  readonly first: number
  readonly last: number
}

/** Fifty apps may run at once while others start. */
const MIN_APP_USERS = 100

/** Returns undefined if the runtime chooses. Adds to the problems. */
export function toAppUsers(text: string | undefined, problems: string[]): AppUsers | undefined {
  if (text === undefined) return undefined
  const [first = 0, last = 0] = /^\d{1,10}-\d{1,10}$/.test(text) ? text.split('-').map(Number) : []
  if (first > 0 && last < 2 ** 32 - 1 && last - first >= MIN_APP_USERS - 1) return { first, last }
  problems.push(
    `HEDGEROW_APP_USERS must be a range of at least ${MIN_APP_USERS} user IDs such as 60800-60999, not "${text}".`,
  )
  return undefined
}
