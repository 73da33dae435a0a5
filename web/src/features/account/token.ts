/** Reads the one-time token from the URL fragment, which no server or proxy logs. */
export const readToken = (): string =>
  new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
