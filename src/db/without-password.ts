/** Shortens the URL of a database to its host, port and name, for messages. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'the given address'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
