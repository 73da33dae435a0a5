import { ActionIcon, Menu } from '@mantine/core'
import { IconCloudDown, IconCode, IconDots, IconRefresh, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { pluralize } from '#model/pluralize.ts'
import type { InstalledPlugin, PluginUse } from '#server/features/import-apps/plugins/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { notify } from '../../../ui/dialog/notify.ts'
import { toVersion } from '../status.ts'
import { useCheckForUpdates, useFetchAppUses, useUninstall, useUpgrade } from './api.ts'

/** Admin actions for an app that is not built in. */
export function AppMenu({ plugin }: { readonly plugin: InstalledPlugin }) {
  const projectId = `${useProjectId()}`
  const upgrade = useUpgrade()
  const check = useCheckForUpdates()
  const uninstall = useUninstall()
  const findUses = useFetchAppUses()
  const upgradeNow = async () => {
    const { name, version } = await upgrade.mutateAsync(plugin.id)
    notify({ message: `${name} upgraded to ${version || 'the latest version'}.` })
  }
  const checkNow = async () => {
    const { name, tag, latest_tag } = await check.mutateAsync(plugin.id)
    const isNewest = tag === latest_tag
    notify({
      message: isNewest
        ? `${name} is up to date.`
        : `${name} ${toVersion(latest_tag)} is available.`,
    })
  }
  const confirmAndUninstall = async () => {
    const isConfirmed = await confirm({
      title: `Uninstall ${plugin.name}?`,
      message: describeImpact(await findUses(plugin.id)),
      yes: 'Uninstall app',
      isDangerous: true,
    })
    if (isConfirmed) await uninstall.mutateAsync(plugin.id)
  }
  const hasVersions = plugin.plugin_type === 'custom'
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Actions for ${plugin.name}`}
          loading={upgrade.isPending || check.isPending || uninstall.isPending}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconCode size={16} />}
          renderRoot={(props) => (
            <Link
              {...props}
              to="/project/$projectId/apps/source"
              params={{ projectId }}
              search={{ plugin: plugin.id }}
            />
          )}
        >
          Edit source
        </Menu.Item>
        {hasVersions && (
          <Menu.Item
            leftSection={<IconRefresh size={16} />}
            onClick={() => ignoreErrors(checkNow())}
          >
            Check for updates
          </Menu.Item>
        )}
        {plugin.plugin_type !== 'source' && (
          <Menu.Item
            leftSection={<IconCloudDown size={16} />}
            onClick={() => ignoreErrors(upgradeNow())}
          >
            {hasVersions ? 'Upgrade to latest version' : 'Reload folder'}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() => ignoreErrors(confirmAndUninstall())}
        >
          Uninstall app…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Ignores errors, which are already shown as a toast. */
const ignoreErrors = (work: Promise<void>): void => void work.catch(() => {})

const KEPT = 'Settings and imported events stay.'

/** "3 import apps in 2 projects (Shop, Blog) will stop running." */
function describeImpact(uses: readonly PluginUse[]): string {
  const [only] = uses
  if (!only) return KEPT
  const used = pluralize(
    uses.reduce((sum, { configs }) => sum + configs, 0),
    'import app',
  )
  const names = uses.map(({ project_name }) => project_name)
  const where =
    names.length === 1
      ? `project ${only.project_name}`
      : `${names.length} projects (${shortened(names)})`
  return `${used} in ${where} will stop running. ${KEPT}`
}

const NAMED = 5

const shortened = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} and others` : names.join(', ')
