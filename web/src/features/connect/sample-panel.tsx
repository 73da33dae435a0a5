import { Anchor, Stack, Text } from '@mantine/core'
import type { Sample } from '#model/connect-samples.ts'
import { CodeBlock } from '../../ui/page/code-block.tsx'

export function SamplePanel({ sample }: { readonly sample: Sample }) {
  const { about, install, code, guide } = sample
  return (
    <Stack gap="sm">
      <Text size="sm">{about}</Text>
      {install && <CodeBlock code={install} label="Install the client" />}
      <CodeBlock code={code} label="Send an event" />
      <Text size="sm" c="dimmed">
        The token can only send events and is not a secret.{' '}
        <Anchor href={guide} target="_blank" rel="noreferrer" inherit underline="always">
          Read the guide
        </Anchor>
      </Text>
    </Stack>
  )
}
