import { Box, Button, Group, SimpleGrid, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { InstalledPlugin } from '#server/features/import-apps/plugins/schema.ts'
import { Card } from '../../ui/page/card.tsx'
import { AppIcon } from '../apps/app-icon.tsx'
import { useInstalledApps } from '../apps/gallery/api.ts'
import { useOpenDashboard } from '../dashboard-list/open-dashboard.ts'
import { useImportPublicData } from './api.ts'

interface PublicSource {
  /** The built-in app. */
  readonly app: string
  /** The only setting that it needs. */
  readonly setting: string
  readonly label: string
  readonly about: string
  readonly example: string
}

const SOURCES: readonly PublicSource[] = [
  {
    app: 'Hacker News',
    setting: 'word',
    label: 'Word or phrase',
    about: 'Stories and comments about it.',
    example: 'open source',
  },
  {
    app: 'npm downloads',
    setting: 'package',
    label: 'Package',
    about: 'Its downloads per day in the last year.',
    example: 'react',
  },
]

/** Offers data that needs no key, for a first dashboard in one step. */
export function PublicData() {
  const { data = [] } = useInstalledApps()
  const offers = SOURCES.flatMap((source) => {
    const plugin = data.find(({ built_in, name }) => built_in && name === source.app)
    return plugin ? [{ source, plugin }] : []
  })
  if (offers.length === 0) return null
  return (
    <Card mb="md">
      <Title order={2} size="h3">
        Start with public data
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        A dashboard in one step, without a key.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {offers.map(({ source, plugin }) => (
          <Offer key={plugin.id} source={source} plugin={plugin} />
        ))}
      </SimpleGrid>
    </Card>
  )
}

interface OfferProps {
  readonly source: PublicSource
  readonly plugin: InstalledPlugin
}

function Offer({ source, plugin }: OfferProps) {
  const { app, setting, label, about, example } = source
  const importData = useImportPublicData()
  const open = useOpenDashboard()
  const form = useForm({
    initialValues: { value: example },
    validate: { value: (value) => (value.trim() === '' ? `Enter a ${setting}.` : null) },
  })
  const submit = ({ value }: typeof form.values) =>
    // the form is gone once the first event arrives, so this does not wait for it
    void importData
      .mutateAsync({ plugin: plugin.id, settings: { [setting]: value.trim() } })
      .then(open, () => {}) // the error is already shown as a toast
  return (
    <form onSubmit={form.onSubmit(submit)} aria-label={app} noValidate>
      <Group gap="sm" wrap="nowrap" mb="xs">
        <AppIcon name={app} icon={plugin.icon} />
        <Box miw={0}>
          <Text fw={500}>{app}</Text>
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        </Box>
      </Group>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput label={label} flex={1} maxLength={200} {...form.getInputProps('value')} />
        <Button type="submit" variant="light" loading={importData.isPending}>
          Show dashboard
        </Button>
      </Group>
    </form>
  )
}
