import { Box, Button, Group, Menu, Stack, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconApi,
  IconBrandNpm,
  IconCode,
  IconDownload,
  IconFolder,
  IconSearch,
} from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { isAdmin, useMe } from '../../../api/session.ts'
import { SearchBox } from '../../../ui/list/search-box.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import classes from '../apps.module.css'
import { useCatalog, useInstalledApps } from './api.ts'
import { AppCard, type AppCardProps } from './app-card.tsx'
import { CategoryChips } from './category-chips.tsx'
import { InstallFiles } from './install-files.tsx'
import { InstallNpm } from './install-npm.tsx'

const route = getRouteApi('/project/$projectId/apps/gallery')

export function AppGalleryPage() {
  const { projectId } = route.useParams()
  const shown = route.useSearch()
  const { search = '', category } = shown
  const navigate = route.useNavigate()
  const plugins = useInstalledApps()
  const catalog = useCatalog().data
  const change = (part: typeof shown) =>
    void navigate({
      to: '/project/$projectId/apps/gallery',
      params: { projectId },
      search: { ...shown, ...part },
      replace: true,
    })
  const categories = [...new Set(catalog?.map((app) => app.category))]
  return (
    <Page
      title="App gallery"
      about={
        <>
          Apps you can add to{' '}
          <Link className={classes.back} to="/project/$projectId/apps" params={{ projectId }}>
            this project's import apps
          </Link>
          .
        </>
      }
      actions={<InstallMenu />}
    >
      <Stack mb="md" gap="sm">
        <Box maw={400}>
          <SearchBox
            label="Search apps"
            value={search}
            onSearch={(text) => change({ search: text })}
          />
        </Box>
        <CategoryChips
          categories={categories}
          value={category}
          onChange={(chosen) => change({ category: chosen })}
        />
      </Stack>
      <QueryContent query={plugins}>
        {(all) => {
          const found = all
            .map((plugin) => ({ plugin, entry: catalog?.find((app) => app.plugin === plugin.id) }))
            .filter((app) => isWanted(app, shown))
          if (found.length === 0) return <NoMatches search={search} />
          return (
            <Box className={classes.cards}>
              {found.map((app) => (
                <AppCard key={app.plugin.id} {...app} />
              ))}
            </Box>
          )
        }}
      </QueryContent>
    </Page>
  )
}

/** Leaves out nothing by category until the categories are known. */
function isWanted(
  { plugin: { name, description }, entry }: AppCardProps,
  { search = '', category }: { readonly search?: string; readonly category?: string },
): boolean {
  const text = [name, description, ...(entry?.streams ?? [])].join(' ').toLowerCase()
  const isInCategory = !category || !entry || entry.category === category
  return isInCategory && text.includes(search.trim().toLowerCase())
}

const NoMatches = ({ search }: { readonly search: string }) => (
  <EmptyState icon={IconSearch} title="No apps found">
    {search ? `No installed app matches “${search}”.` : 'No app is in this category.'} Admins can
    install more.
  </EmptyState>
)

/** Apps belong to the organization, so only its admins can install them. */
function InstallMenu() {
  const { projectId } = route.useParams()
  const canInstall = isAdmin(useMe())
  const [npmIsOpen, npm] = useDisclosure()
  const [filesAreOpen, files] = useDisclosure()
  if (!canInstall) {
    return (
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          Only admins can install apps.
        </Text>
        <Tooltip label="Only admins can install apps">
          <Button data-disabled aria-disabled leftSection={<IconDownload size={16} />}>
            Install app
          </Button>
        </Tooltip>
      </Group>
    )
  }
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button leftSection={<IconDownload size={16} />}>Install app</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconApi size={16} />}
            renderRoot={(props) => (
              <Link {...props} to="/project/$projectId/apps/connector" params={{ projectId }} />
            )}
          >
            Connect an API
          </Menu.Item>
          <Menu.Item leftSection={<IconBrandNpm size={16} />} onClick={npm.open}>
            From npm or GitHub
          </Menu.Item>
          <Menu.Item leftSection={<IconFolder size={16} />} onClick={files.open}>
            From folder or .tgz file
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCode size={16} />}
            renderRoot={(props) => (
              <Link {...props} to="/project/$projectId/apps/source" params={{ projectId }} />
            )}
          >
            Write source code
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <InstallNpm opened={npmIsOpen} onClose={npm.close} />
      <InstallFiles opened={filesAreOpen} onClose={files.close} />
    </>
  )
}
