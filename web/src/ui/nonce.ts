/** What the page's policy asks of style elements: a new one with each page. */
export const readNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
