/** Behind `#`, so that no server or proxy ever logs it. */
export const readToken = (): string =>
  new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
