import {
  IconArchive,
  IconFolders,
  IconKey,
  IconSettings,
  IconUser,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { AccountSection } from './account/section.tsx'
import { BackupsSection } from './backups/section.tsx'
import { KeysSection } from './keys/section.tsx'
import { LinksSection } from './links/section.tsx'
import { MembersSection } from './members/section.tsx'
import { ProjectSection } from './project/section.tsx'
import { ProjectsSection } from './projects/section.tsx'
import { listSectionKeys, SECTION_NAMES, type SectionKey } from './section-names.ts'

const SECTIONS: Readonly<Record<SectionKey, { icon: typeof IconUser; component: ComponentType }>> =
  {
    project: { icon: IconSettings, component: ProjectSection },
    members: { icon: IconUsers, component: MembersSection },
    projects: { icon: IconFolders, component: ProjectsSection },
    keys: { icon: IconKey, component: KeysSection },
    links: { icon: IconWorld, component: LinksSection },
    backups: { icon: IconArchive, component: BackupsSection },
    account: { icon: IconUser, component: AccountSection },
  }

export const sectionsFor = (isAdmin: boolean, isViewer: boolean) =>
  listSectionKeys(isAdmin, isViewer).map((key) => ({
    key,
    label: SECTION_NAMES[key],
    ...SECTIONS[key],
  }))
