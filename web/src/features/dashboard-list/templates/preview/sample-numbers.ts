/** FNV-1a, 32 bits: the same text gives the same sample on every visit. */
export function toSeed(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** Returns numbers that look measured: they grow, and swing like the days of a week. */
export const toWave = (length: number, base: number, seed: number): number[] =>
  Array.from({ length }, (_, at) => {
    const week = Math.sin(((at + (seed % 7)) * 2 * Math.PI) / 7) * 0.16
    const noise = (((seed >>> (at % 24)) & 15) / 15 - 0.5) * 0.18
    return Math.round(base * (0.8 + (0.4 * at) / length + week + noise))
  })

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0)

const STEPS: Readonly<Record<string, number>> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
}
const LENGTHS: Readonly<Record<string, number>> = { hour: 48, day: 30, week: 13, month: 6 }

/** Returns the beginnings of the intervals up to today: `2026-03-01`, with the hour if they are hours. */
export function toDays(interval: unknown): string[] {
  const name = typeof interval === 'string' && interval in STEPS ? interval : 'day'
  const length = LENGTHS[name] as number
  const now = Date.now()
  return Array.from({ length }, (_, at) => {
    const time = new Date(now - (length - 1 - at) * (STEPS[name] as number)).toISOString()
    return name === 'hour' ? `${time.slice(0, 10)} ${time.slice(11, 13)}:00:00` : time.slice(0, 10)
  })
}
