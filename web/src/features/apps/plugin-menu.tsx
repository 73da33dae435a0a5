import { ActionIcon, Menu } from '@mantine/core'
import { IconCloudDown, IconCode, IconDots, IconRefresh, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { InstalledPlugin, PluginUse } from '#server/features/import-apps/plugins/schema.ts'
import { useProjectId } from '../../api/project.ts'
import { confirm } from '../../ui/confirm.tsx'
import { notify } from '../../ui/notify.ts'
import { counted } from './config-info.ts'
import { useCheckForUpdates, useFindUses, useUninstall, useUpgrade } from './plugins-api.ts'

/** For admins, of an app that did not come with Hedgerow. */
export function PluginMenu({ plugin }: { readonly plugin: InstalledPlugin }) {
  const projectId = `${useProjectId()}`
  const upgrade = useUpgrade()
  const check = useCheckForUpdates()
  const uninstall = useUninstall()
  const findUses = useFindUses()
  const upgradeNow = async () => {
    const { name, version } = await upgrade.mutateAsync(plugin.id)
    notify({ message: `${name} is at ${version || 'its newest state'} now.` })
  }
  const checkNow = async () => {
    const { name, tag, latest_tag } = await check.mutateAsync(plugin.id)
    const isNewest = tag === latest_tag
    notify({
      message: isNewest ? `${name} is the newest there is.` : `${name} ${latest_tag} is out.`,
    })
  }
  const uninstallIfSure = async () => {
    const isSure = await confirm({
      title: `Uninstall ${plugin.name}?`,
      message: whatItMeans(await findUses(plugin.id)),
      yes: 'Uninstall',
      isDangerous: true,
    })
    if (isSure) await uninstall.mutateAsync(plugin.id)
  }
  const isNpm = plugin.plugin_type === 'custom'
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`More for ${plugin.name}`}
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
          Edit the source
        </Menu.Item>
        {isNpm && (
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => quietly(checkNow())}>
            Look for a newer version
          </Menu.Item>
        )}
        {plugin.plugin_type !== 'source' && (
          <Menu.Item
            leftSection={<IconCloudDown size={16} />}
            onClick={() => quietly(upgradeNow())}
          >
            {isNpm ? 'Upgrade to the newest' : 'Read the folder again'}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() => quietly(uninstallIfSure())}
        >
          Uninstall
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** A refusal has been shown. */
const quietly = (work: Promise<void>): void => void work.catch(() => {})

const STAYS =
  'Wherever it is used, its settings are kept, and it says that the app is not installed. Events that it brought in stay.'

/** "3 import apps of 2 projects (Shop, Blog) cannot run any more." */
function whatItMeans(uses: readonly PluginUse[]): string {
  const [only] = uses
  if (!only) return STAYS
  const used = counted(
    uses.reduce((sum, { configs }) => sum + configs, 0),
    'import app',
  )
  const names = uses.map(({ project_name }) => project_name)
  const where =
    names.length === 1
      ? `the project ${only.project_name}`
      : `${names.length} projects (${shortened(names)})`
  return `${used} of ${where} cannot run any more. ${STAYS}`
}

const NAMED = 5

const shortened = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} and others` : names.join(', ')
