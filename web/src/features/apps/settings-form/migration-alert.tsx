import { Alert, Button, Group, Text } from '@mantine/core'
import { pluralize } from '#model/pluralize.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { useMigrate } from '../api.ts'
import { useInstalledApp } from '../gallery/api.ts'

/** Offers to migrate settings when the app was updated after the config. */
export function MigrationAlert({ config }: { readonly config: PipelineConfig }) {
  const plugin = useInstalledApp(config.plugin)
  const migrate = useMigrate(config.id)
  const isOlder = plugin && !plugin.built_in && plugin.updated_at > config.updated_at
  if (!isOlder || config.deleted) return null
  const migrateSettings = () =>
    migrate.mutate(undefined, {
      onSuccess: ({ changes }) =>
        notify({
          message:
            changes.length === 0
              ? 'Settings are up to date.'
              : `${pluralize(changes.length, 'setting')} updated.`,
        }),
    })
  return (
    <Alert color="blue" variant="light">
      <Group justify="space-between">
        <Text size="sm">The app was updated after these settings were saved.</Text>
        <Button size="xs" variant="default" loading={migrate.isPending} onClick={migrateSettings}>
          Migrate settings
        </Button>
      </Group>
    </Alert>
  )
}
