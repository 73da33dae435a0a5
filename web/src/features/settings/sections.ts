import {
  IconBell,
  IconFolders,
  IconKey,
  IconSettings,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { AlertsSection } from '../notifications/section.tsx'
import { AccountSection } from './account/section.tsx'
import { KeysSection } from './keys/section.tsx'
import { MembersSection } from './members/section.tsx'
import { ProjectSection } from './project/section.tsx'
import { ProjectsSection } from './projects/section.tsx'

/** Sections in display order; the key is part of the URL. */
export const SECTIONS = [
  { key: 'project', label: 'Project', icon: IconSettings, component: ProjectSection },
  { key: 'alerts', label: 'Alerts', icon: IconBell, component: AlertsSection },
  { key: 'members', label: 'Members', icon: IconUsers, component: MembersSection },
  { key: 'projects', label: 'Projects', icon: IconFolders, component: ProjectsSection },
  { key: 'keys', label: 'API keys', icon: IconKey, component: KeysSection },
  { key: 'account', label: 'Account', icon: IconUser, component: AccountSection },
] as const
