/*
 * Shows a signed embed of Hedgerow in a frame that is as high as its content: hedgerowEmbed(element, getToken).
 * `getToken` returns a token, or a promise of one. It is called at once, and again before each token ends.
 */
;(() => {
  const server = new URL(document.currentScript.src).origin
  /** A new token is asked for when this much of the old one is left, or a quarter of it if that is less. */
  const LEAD_MS = 60_000
  const RETRY_MS = 10_000
  /** A page that does not answer by then has closed. */
  const ANSWER_MS = 3000
  /** The longest delay that timers know. */
  const MAX_DELAY_MS = 2 ** 31 - 1

  const endOf = (token) =>
    JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))).exp * 1000

  /** Returns a function that removes the frame. `options`: `title`, and `search`, such as `theme=dark`. */
  window.hedgerowEmbed = (element, getToken, { title = 'Dashboard', search = '' } = {}) => {
    const frame = document.createElement('iframe')
    frame.title = title
    frame.style.cssText = 'display:block;width:100%;border:0'
    let timer
    let silence
    let isRemoved = false

    async function refresh() {
      try {
        const token = await getToken()
        if (isRemoved) return
        const left = endOf(token) - Date.now()
        if (frame.src) {
          frame.contentWindow.postMessage({ hedgerow: 'token', token }, server)
          silence = setTimeout(() => show(token), ANSWER_MS)
        } else show(token)
        const lead = Math.min(LEAD_MS, left / 4)
        timer = setTimeout(refresh, Math.min(Math.max(left - lead, RETRY_MS), MAX_DELAY_MS))
      } catch (error) {
        console.error('Hedgerow: no token for the embed.', error)
        if (!isRemoved) timer = setTimeout(refresh, RETRY_MS)
      }
    }

    function show(token) {
      frame.src = `${server}/embedded/${token}${search && `?${search}`}`
      element.append(frame)
    }

    function resize({ origin, source, data }) {
      if (origin !== server || source !== frame.contentWindow) return
      if (data?.hedgerow !== 'height' || !(data.height > 0)) return
      clearTimeout(silence)
      frame.style.height = `${data.height}px`
    }

    addEventListener('message', resize)
    void refresh()
    return () => {
      isRemoved = true
      clearTimeout(timer)
      clearTimeout(silence)
      removeEventListener('message', resize)
      frame.remove()
    }
  }
})()
