/** What somebody is in the organisation. Admins and owners reach every project. */
export const LEVELS = { member: 1, admin: 8, owner: 15 } as const

export type Level = (typeof LEVELS)[keyof typeof LEVELS]

/** By name or number. */
export function toLevel(text: string): Level | undefined {
  const found = Object.entries(LEVELS).find(([name, level]) => text === name || text === `${level}`)
  return found?.[1]
}

export const toLevelName = (level: number): string =>
  Object.entries(LEVELS).find(([, known]) => known === level)?.[0] ?? `${level}`
