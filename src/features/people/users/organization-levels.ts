/** What somebody is in the organisation. Admins and owners reach every project. */
export const ORGANIZATION_LEVELS = { member: 1, admin: 8, owner: 15 } as const

export type OrganizationLevel = (typeof ORGANIZATION_LEVELS)[keyof typeof ORGANIZATION_LEVELS]

/** By name or number. */
export function toOrganizationLevel(text: string): OrganizationLevel | undefined {
  const found = Object.entries(ORGANIZATION_LEVELS).find(
    ([name, level]) => text === name || text === `${level}`,
  )
  return found?.[1]
}

export const organizationLevelName = (level: number): string =>
  Object.entries(ORGANIZATION_LEVELS).find(([, known]) => known === level)?.[0] ?? `${level}`
