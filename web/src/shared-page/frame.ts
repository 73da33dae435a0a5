/** Tells the page around a frame how high its content is, and takes new tokens from it. */
export function connectFrame(onToken: (token: string) => void): void {
  if (window.parent === window) return
  // the height is no secret, and the policy of the page decides who may frame it
  const send = () => {
    const { height } = document.body.getBoundingClientRect()
    window.parent.postMessage({ hedgerow: 'height', height: Math.ceil(height) }, '*')
  }
  new ResizeObserver(send).observe(document.body)
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || data?.hedgerow !== 'token') return
    if (typeof data.token !== 'string' || !TOKEN.test(data.token)) return
    onToken(data.token)
    send()
  })
}

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

const SIGNED = /^\/embedded\/[^/]*\.[^/]*\./

/** Tells whether a token in the address opened the page. It ends soon, so nothing is kept under it. */
export const isSigned = (): boolean => SIGNED.test(location.pathname)

/** Replaces the token in the addresses of the page and its files. Returns the new path. */
export function replaceToken(token: string): string {
  const before = location.pathname
  const path = `/embedded/${token}`
  history.replaceState(null, '', path + location.search)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/embedded/"]')) {
    link.href = link.href.replace(before, path)
  }
  return path
}
