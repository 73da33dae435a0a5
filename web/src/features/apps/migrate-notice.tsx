import { Alert, Button, Group, Text } from '@mantine/core'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { notify } from '../../ui/notify.ts'
import { useMigrate } from './api.ts'
import { counted } from './config-info.ts'
import { usePlugin } from './plugins-api.ts'

/** Whether the app was replaced after the config was last touched: its settings may be of an older kind. */
export function MigrateNotice({ config }: { readonly config: PipelineConfig }) {
  const plugin = usePlugin(config.plugin)
  const migrate = useMigrate(config.id)
  const isOlder = plugin && !plugin.built_in && plugin.updated_at > config.updated_at
  if (!isOlder || config.deleted) return null
  const bring = () =>
    migrate.mutate(undefined, {
      onSuccess: ({ changes }) =>
        notify({
          message:
            changes.length === 0
              ? 'The settings fit as they are.'
              : `${counted(changes.length, 'setting')} changed.`,
        }),
    })
  return (
    <Alert color="blue" variant="light">
      <Group justify="space-between">
        <Text size="sm">The app was changed after these settings.</Text>
        <Button size="xs" variant="default" loading={migrate.isPending} onClick={bring}>
          Bring them up to date
        </Button>
      </Group>
    </Alert>
  )
}
