import { Stack, Text } from '@mantine/core'
import { CSV_SAMPLE } from '#model/connect-samples.ts'
import { CodeBlock } from '../../ui/page/code-block.tsx'
import { QueryContent } from '../../ui/page/states.tsx'
import { AddAppButton } from '../apps/gallery/add-app-button.tsx'
import { useInstalledApps } from '../apps/gallery/api.ts'

/** The import of a file is a config of the built-in CSV app. */
export function CsvPanel() {
  return (
    <Stack gap="sm" align="stretch">
      <Text size="sm">
        Each row becomes an event. A file with these columns needs no settings; other columns become
        properties.
      </Text>
      <CodeBlock code={CSV_SAMPLE} label="Example file" />
      <QueryContent query={useInstalledApps()}>
        {(apps) => {
          const csv = apps.find(({ built_in, name }) => built_in && name === 'CSV')
          return (
            csv && (
              <div>
                <AddAppButton plugin={csv} label="Import a CSV file" />
              </div>
            )
          )
        }}
      </QueryContent>
    </Stack>
  )
}
