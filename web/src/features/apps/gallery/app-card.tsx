import { Anchor, Badge, Box, Group, Stack, Text, Title } from '@mantine/core'
import { handlesRequests } from '#model/app-limitation.ts'
import type { CatalogApp } from '#server/features/import-apps/catalog/schema.ts'
import type { InstalledPlugin } from '#server/features/import-apps/plugins/schema.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { Card } from '../../../ui/page/card.tsx'
import { useConfigs } from '../api.ts'
import { AppIcon } from '../app-icon.tsx'
import classes from '../apps.module.css'
import { scheduleLabels, toVersion } from '../status.ts'
import { AddAppButton } from './add-app-button.tsx'
import { AppMenu } from './app-menu.tsx'

const ORIGINS: Readonly<Record<InstalledPlugin['plugin_type'], string>> = {
  inline: 'Built in',
  local: 'Folder',
  custom: 'npm',
  source: 'Source',
}

export interface AppCardProps {
  readonly plugin: InstalledPlugin
  /** Its entry in the catalog, once that is known. */
  readonly entry?: CatalogApp | undefined
}

export function AppCard({ plugin, entry }: AppCardProps) {
  const canEdit = isAdmin(useMe())
  const used = useConfigs().data?.filter((config) => config.plugin === plugin.id).length ?? 0
  return (
    <Card>
      <Stack h="100%" gap="sm">
        <Group wrap="nowrap" align="flex-start" gap="sm">
          <AppIcon name={plugin.name} icon={plugin.icon} />
          <Box flex={1} miw={0}>
            <Title order={2} size="h3" className={classes.wrapped}>
              {plugin.name}
            </Title>
            <Group gap={6} mt={2}>
              <Badge color="gray" size="sm">
                {plugin.url?.startsWith('http') ? 'GitHub' : ORIGINS[plugin.plugin_type]}
              </Badge>
              {plugin.version && (
                <Text size="xs" c="dimmed">
                  {plugin.version}
                </Text>
              )}
              {entry && entry.category !== 'Other' && (
                <Badge color="gray" size="sm" variant="outline">
                  {entry.category}
                </Badge>
              )}
              {hasNewer(plugin) && (
                <Badge color="blue" size="sm">
                  {toVersion(plugin.latest_tag)} available
                </Badge>
              )}
            </Group>
          </Box>
          {canEdit && !plugin.built_in && <AppMenu plugin={plugin} />}
        </Group>
        <Text size="sm" className={classes.wrapped}>
          {plugin.description || 'No description.'}
        </Text>
        {plugin.limitation ? (
          <Text size="xs" c="yellow.9" className={classes.wrapped}>
            {plugin.limitation}
          </Text>
        ) : (
          <Text size="xs" c="dimmed" className={classes.wrapped}>
            {describeSchedule(plugin)}
          </Text>
        )}
        <Group mt="auto" justify="space-between">
          <Group gap="sm">
            {entry?.docs && (
              <Anchor
                href={entry.docs}
                size="xs"
                underline="always"
                aria-label={`Guide: ${plugin.name}`}
              >
                Guide
              </Anchor>
            )}
            <Text size="xs" c="dimmed">
              {used > 0 ? (used === 1 ? 'Added' : `Added ${used} times`) : ''}
            </Text>
          </Group>
          <AddAppButton plugin={plugin} />
        </Group>
      </Stack>
    </Card>
  )
}

export const hasNewer = ({ tag, latest_tag }: InstalledPlugin): boolean =>
  tag !== null && latest_tag !== null && tag !== latest_tag

function describeSchedule({ capabilities, public_jobs }: InstalledPlugin): string {
  const schedules = scheduleLabels(capabilities.scheduled_tasks)
  const jobs = Object.keys(public_jobs)
  const sentences = [
    schedules.length > 0 && `Runs ${schedules.join(' and ')}.`,
    handlesRequests({ capabilities }) && 'Runs when a request arrives.',
    jobs.length > 0 && `On demand: ${jobs.join(', ')}.`,
  ]
  return sentences.filter(Boolean).join(' ') || 'No schedule or jobs.'
}
