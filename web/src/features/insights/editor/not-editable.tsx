import { Code, Stack, Text } from '@mantine/core'
import { Card } from '../../../ui/card.tsx'
import { Page } from '../../../ui/page.tsx'
import type { Insight } from './api.ts'

/** It came from a service that can ask more than this one. */
export function NotEditable({ insight }: { readonly insight: Insight }) {
  return (
    <Page title={insight.name || insight.derived_name || 'Insight'}>
      <Card>
        <Stack>
          <Text>This insight asks something that cannot be answered or edited here:</Text>
          <Code block>{JSON.stringify(insight.query, null, 2)}</Code>
        </Stack>
      </Card>
    </Page>
  )
}
