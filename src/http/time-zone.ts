/** Tells whether this is the name of a time zone. An offset is none: it would be wrong for half of the year. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Z]/i.test(name)
  } catch {
    return false
  }
}
