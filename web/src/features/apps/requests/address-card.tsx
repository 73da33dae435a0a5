import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { WebhookAddress } from '#server/features/import-apps/webhooks/schema.ts'
import { Card } from '../../../ui/page/card.tsx'
import { CodeBlock } from '../../../ui/page/code-block.tsx'
import { CopyText } from '../../../ui/page/copy-button.tsx'
import { shellQuote } from '../../../ui/page/copy-curl.tsx'
import { QueryContent } from '../../../ui/page/states.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { storedSettings } from '../settings-form/setting-rules.ts'
import { useAddress } from './api.ts'
import { ReplaceAddress } from './replace-address.tsx'

/** The address to which other services send requests, and how to try it. */
export function AddressCard({ config }: { readonly config: PipelineConfig }) {
  const address = useAddress(config.id)
  return (
    <Card p="lg">
      <QueryContent query={address}>
        {(known) => <Address config={config} address={known} />}
      </QueryContent>
    </Card>
  )
}

interface AddressProps {
  readonly config: PipelineConfig
  readonly address: WebhookAddress
}

function Address({ config, address }: AddressProps) {
  const [isReplacing, setReplacing] = useState(false)
  const url = address.url ?? `${location.origin}${address.path}`
  const { verify = 'none' } = storedSettings(config)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>Address</Title>
        <Button
          size="xs"
          variant="default"
          disabled={config.deleted}
          onClick={() => setReplacing(true)}
        >
          Replace address…
        </Button>
      </Group>
      <Group gap="xs" align="flex-end">
        <TextInput
          flex={1}
          miw={220}
          label="Send requests to"
          description="Keep it secret: everyone who knows it can send requests."
          readOnly
          value={url}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyText value={url} label="Copy address" />
      </Group>
      {address.previous.map(({ path, expires_at }) => (
        <Text key={path} size="sm" c="dimmed">
          A replaced address still works. It expires <TimeAgo time={expires_at} />.
        </Text>
      ))}
      {!config.enabled && <WhileDisabled rule={address.while_disabled} />}
      {verify === 'none' ? (
        <CodeBlock label="Try it" code={toExample(url, address.methods)} />
      ) : (
        <Text size="sm" c="dimmed">
          Requests are verified ({String(verify)}). Others get status 401 and are not listed.
        </Text>
      )}
      {isReplacing && <ReplaceAddress configId={config.id} onClose={() => setReplacing(false)} />}
    </Stack>
  )
}

const WhileDisabled = ({ rule }: { readonly rule: WebhookAddress['while_disabled'] }) => (
  <Text size="sm">
    {rule === 'hold'
      ? 'Disabled: requests are kept until you enable this import app.'
      : 'Disabled: requests are refused. Enable this import app to receive them.'}
  </Text>
)

function toExample(url: string, methods: readonly string[]): string {
  const [method = 'POST'] = methods
  if (method === 'GET') return `curl ${shellQuote(`${url}?type=test&email=ada@example.com`)}`
  const body = JSON.stringify({ type: 'test', email: 'ada@example.com' })
  const parts = ['curl', "-H 'Content-Type: application/json'", `-d ${shellQuote(body)}`]
  if (method !== 'POST') parts.push(`-X ${method}`)
  return [...parts, shellQuote(url)].join(' \\\n  ')
}
