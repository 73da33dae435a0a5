import { Code, Stack, Text } from '@mantine/core'
import { toInsightTitle } from '#model/insight-title.ts'
import { Card } from '../../../ui/page/card.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { Insight } from './api.ts'

/** For queries imported from a service that supports more kinds. */
export function NotEditable({ insight }: { readonly insight: Insight }) {
  return (
    <Page title={toInsightTitle(insight)}>
      <Card>
        <Stack>
          <Text>This query is not supported here:</Text>
          <Code block>{JSON.stringify(insight.query, null, 2)}</Code>
        </Stack>
      </Card>
    </Page>
  )
}
