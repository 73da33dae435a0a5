import { ActionIcon, Burger, Group, Kbd, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useIsViewer, useProject } from '../api/project.ts'
import { lazyComponent } from '../ui/page/lazy-component.tsx'
import { useZoneChoice, ZoneContext } from '../ui/page/zone.ts'
import { useIsKiosk } from './kiosk.ts'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { NotFound } from './not-found.tsx'
import { ProjectPicker } from './project-picker.tsx'
import classes from './shell.module.css'
import { Shortcuts } from './shortcuts.tsx'
import { UserMenu } from './user-menu.tsx'

const loadNotices = () => import('../features/settings/notices.tsx')
const Notices = lazyComponent(async () => (await loadNotices()).Notices)
const NotForViewers = lazyComponent(async () => (await loadNotices()).NotForViewers)
const Palette = lazyComponent(async () => (await import('./palette/palette.tsx')).CommandPalette)

/** The pages of a project that exists and that the user can access. */
export function Shell() {
  return useProject() ? <ProjectShell /> : <NotFound />
}

/** Header and navigation around every project page; hidden in kiosk mode. */
function ProjectShell() {
  const [isSearching, search] = useDisclosure()
  const isKiosk = useIsKiosk()
  const { zone } = useZoneChoice(useProject())
  const isClosed = useIsClosed()
  useHotkeys([['mod+K', search.open]], []) // also while a field has focus
  return (
    <div className={classes.shell} data-bare={isKiosk || undefined}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      {!isKiosk && <Bars onSearch={search.open} />}
      <main id="content" className={classes.main} tabIndex={-1}>
        <ZoneContext value={zone}>
          {!isKiosk && <Notices />}
          {isClosed ? <NotForViewers /> : <Outlet />}
        </ZoneContext>
      </main>
      {isSearching && <Palette onClose={search.close} />}
      <Shortcuts />
    </div>
  )
}

/** The pages that are open to viewers. Others are closed to them, so that a new page is too. */
const FOR_VIEWERS = /^\/project\/\$projectId\/((dashboards|insights|settings)(\/\$\w+)?)?$/

function useIsClosed(): boolean {
  const routeId = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId ?? '' })
  return useIsViewer() && !FOR_VIEWERS.test(routeId)
}

/** The header, and the navigation, which covers the page on a phone until it is closed. */
function Bars({ onSearch }: { readonly onSearch: () => void }) {
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(close, [path])
  return (
    <>
      <header className={classes.header}>
        <Group gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
          <Logo />
          <ProjectPicker />
        </Group>
        <Group gap="xs" wrap="nowrap">
          <UnstyledButton className={classes.search} onClick={onSearch} visibleFrom="sm">
            <IconSearch size={14} aria-hidden />
            <Text size="sm" c="dimmed">
              Search or jump to…
            </Text>
            <Kbd size="xs">Ctrl K</Kbd>
          </UnstyledButton>
          <ActionIcon
            hiddenFrom="sm"
            variant="subtle"
            color="gray"
            aria-label="Search"
            onClick={onSearch}
          >
            <IconSearch size={18} />
          </ActionIcon>
          <ZoneLabel />
          <UserMenu />
        </Group>
      </header>
      <nav className={classes.navbar} data-open={isOpen || undefined} aria-label="Main">
        <Navigation />
      </nav>
    </>
  )
}

/** Says once on each page in which zone its times are. */
function ZoneLabel() {
  const { choice, zone } = useZoneChoice(useProject())
  const isProject = choice === 'project'
  return (
    <Text
      size="xs"
      c="dimmed"
      visibleFrom="md"
      title={
        isProject
          ? 'All times are in the time zone of the project. The account menu changes that.'
          : "Times are in your browser's time zone, and charts in that of the project."
      }
    >
      {isProject ? zone : 'Browser time'}
    </Text>
  )
}
