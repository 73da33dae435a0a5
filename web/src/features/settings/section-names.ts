/** The sections in display order; the key is part of the URL. */
export const SECTION_NAMES = {
  project: 'Project',
  members: 'Members',
  projects: 'Projects',
  keys: 'API keys',
  links: 'Public links',
  backups: 'Backups',
  account: 'Account',
} as const

export type SectionKey = keyof typeof SECTION_NAMES

const FOR_ADMINS: readonly SectionKey[] = ['links', 'backups']

/** The others are about the work in a project. */
const FOR_VIEWERS: readonly SectionKey[] = ['keys', 'account']

export const listSectionKeys = (isAdmin: boolean, isViewer: boolean): SectionKey[] =>
  (Object.keys(SECTION_NAMES) as SectionKey[]).filter(
    (key) => (isAdmin || !FOR_ADMINS.includes(key)) && (!isViewer || FOR_VIEWERS.includes(key)),
  )
