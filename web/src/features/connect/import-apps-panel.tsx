import { Anchor, Box, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { QueryContent } from '../../ui/page/states.tsx'
import { AppIcon } from '../apps/app-icon.tsx'
import { AddAppButton } from '../apps/gallery/add-app-button.tsx'
import { useInstalledApps } from '../apps/gallery/api.ts'
import classes from './connect.module.css'

export function ImportAppsPanel() {
  const projectId = `${useProjectId()}`
  return (
    <Stack gap="sm">
      <Text size="sm">
        Import apps read events from other systems, once or on a schedule. The{' '}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => (
            <Link {...props} to="/project/$projectId/apps/gallery" params={{ projectId }} />
          )}
        >
          app gallery
        </Anchor>{' '}
        shows what each of them does.
      </Text>
      <QueryContent query={useInstalledApps()}>
        {(apps) => (
          <ul className={classes.apps}>
            {apps
              .filter(({ limitation }) => !limitation)
              .map((plugin) => (
                <li key={plugin.id}>
                  <AppIcon name={plugin.name} icon={plugin.icon} />
                  <Box flex={1} miw={160}>
                    <Text fw={500}>{plugin.name}</Text>
                    <Text size="sm" c="dimmed" className={classes.words}>
                      {plugin.description}
                    </Text>
                  </Box>
                  <AddAppButton plugin={plugin} />
                </li>
              ))}
          </ul>
        )}
      </QueryContent>
    </Stack>
  )
}
