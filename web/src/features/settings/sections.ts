import {
  IconArchive,
  IconBell,
  IconFolders,
  IconKey,
  IconSettings,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { AlertsSection } from '../notifications/section.tsx'
import { AccountSection } from './account/section.tsx'
import { BackupsSection } from './backups/section.tsx'
import { KeysSection } from './keys/section.tsx'
import { MembersSection } from './members/section.tsx'
import { ProjectSection } from './project/section.tsx'
import { ProjectsSection } from './projects/section.tsx'

const SECTIONS = [
  { key: 'project', label: 'Project', icon: IconSettings, component: ProjectSection },
  { key: 'alerts', label: 'Alerts', icon: IconBell, component: AlertsSection },
  { key: 'members', label: 'Members', icon: IconUsers, component: MembersSection },
  { key: 'projects', label: 'Projects', icon: IconFolders, component: ProjectsSection },
  { key: 'keys', label: 'API keys', icon: IconKey, component: KeysSection },
  {
    key: 'backups',
    label: 'Backups',
    icon: IconArchive,
    component: BackupsSection,
    isForAdmins: true,
  },
  { key: 'account', label: 'Account', icon: IconUser, component: AccountSection },
] as const

/** Returns the sections in display order; the key is part of the URL. */
export const sectionsFor = (isAdmin: boolean) =>
  SECTIONS.filter((section) => isAdmin || !('isForAdmins' in section))
