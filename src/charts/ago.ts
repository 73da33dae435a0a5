const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `3 minutes ago`. */
export function toAgo(time: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000)
  const unit = UNITS.find(([, length]) => seconds >= length)
  return unit ? WORDS.format(-Math.floor(seconds / unit[1]), unit[0]) : 'just now'
}
