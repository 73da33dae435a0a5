import { ActionIcon, AppShell, Burger, Group, Kbd, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useProject } from '../api/project.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { useIsKiosk } from './kiosk.ts'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { NotFound } from './not-found.tsx'
import { ProjectPicker } from './project-picker.tsx'
import classes from './shell.module.css'
import { Shortcuts } from './shortcuts.tsx'
import { UserMenu } from './user-menu.tsx'

const Palette = lazyComponent(async () => (await import('./palette/palette.tsx')).CommandPalette)

/** The pages of a project that exists and that the user can access. */
export function Shell() {
  return useProject() ? <ProjectShell /> : <NotFound />
}

/** Header and navigation around every project page; hidden in kiosk mode. */
function ProjectShell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const [isSearching, search] = useDisclosure()
  const isKiosk = useIsKiosk()
  useHotkeys([['mod+K', search.open]], []) // also while a field has focus
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(close, [path])
  return (
    <AppShell
      header={{ height: 52, collapsed: isKiosk }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen, desktop: isKiosk } }}
      padding={{ base: 'sm', sm: 'lg' }}
      disabled={isKiosk}
    >
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <AppShell.Header className={classes.bar}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Logo />
            <ProjectPicker />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <UnstyledButton className={classes.search} onClick={search.open} visibleFrom="sm">
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
              onClick={search.open}
            >
              <IconSearch size={18} />
            </ActionIcon>
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.bar} p="sm" aria-label="Main">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      {isSearching && <Palette onClose={search.close} />}
      <Shortcuts />
    </AppShell>
  )
}
