import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { Choice } from '../../../ui/form/choice.tsx'
import { FormError } from '../../../ui/form/form-error.tsx'
import { Card } from '../../../ui/page/card.tsx'
import type { Draft, Key, KeyKind } from './draft.ts'

const KINDS: readonly { value: KeyKind; label: string }[] = [
  { value: 'none', label: 'No key' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'header', label: 'Header' },
  { value: 'query', label: 'Query parameter' },
  { value: 'basic', label: 'User and password' },
]

const NAMES: Readonly<Partial<Record<KeyKind, string>>> = {
  header: 'Header',
  query: 'Parameter',
  basic: 'User',
}

interface RequestCardProps {
  readonly draft: Draft
  readonly request: { readonly isPending: boolean; readonly error: Error | null }
  readonly onChange: (fields: Partial<Draft>) => void
  readonly onSend: () => void
}

/** The address and the key. */
export function RequestCard({ draft, request, onChange, onSend }: RequestCardProps) {
  const { url, key } = draft
  return (
    <Card p="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSend()
        }}
      >
        <Stack gap="sm">
          <Title order={2}>Request</Title>
          <TextInput
            label="Address"
            description="Of a list, with its parameters."
            type="url"
            required
            placeholder="https://api.example.com/v1/orders"
            value={url}
            onChange={({ currentTarget }) => onChange({ url: currentTarget.value.trim() })}
          />
          <KeyFields value={key} onChange={(changed) => onChange({ key: changed })} />
          <Group>
            <Button type="submit" loading={request.isPending}>
              Get response
            </Button>
            <Text size="xs" c="dimmed">
              The server sends one GET request.
            </Text>
          </Group>
          <FormError error={request.error} title="No response" />
        </Stack>
      </form>
    </Card>
  )
}

interface KeyFieldsProps {
  readonly value: Key
  readonly onChange: (key: Key) => void
}

function KeyFields({ value: key, onChange }: KeyFieldsProps) {
  const name = NAMES[key.kind]
  return (
    <Group align="flex-end" gap="sm">
      <Choice
        label="Key"
        data={KINDS}
        value={key.kind}
        onChange={(kind) => onChange({ ...key, kind })}
      />
      {name && (
        <TextInput
          label={name}
          required
          withAsterisk={false}
          flex={1}
          miw={140}
          autoComplete="off"
          value={key.name}
          onChange={({ currentTarget }) => onChange({ ...key, name: currentTarget.value.trim() })}
        />
      )}
      {key.kind !== 'none' && (
        <PasswordInput
          label={key.kind === 'basic' ? 'Password' : 'Value of the key'}
          required
          withAsterisk={false}
          flex={2}
          miw={200}
          autoComplete="off"
          value={key.value}
          onChange={({ currentTarget }) => onChange({ ...key, value: currentTarget.value })}
        />
      )}
    </Group>
  )
}
