import { ActionIcon, Group, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { IconX } from '@tabler/icons-react'
import { Choice } from '../../ui/form/choice.tsx'
import type { TargetValues } from './target-values.ts'

interface TargetFieldsProps {
  readonly type: TargetValues['type']
  readonly typeProps: GetInputPropsReturnType
  readonly addressProps: GetInputPropsReturnType
  /** Absent if the host of the URL decides. */
  readonly formatProps?: GetInputPropsReturnType
  readonly onRemove?: (() => void) | undefined
}

const FORMATS = [
  { value: '', label: 'By its host' },
  { value: 'json', label: 'JSON' },
  { value: 'slack', label: 'Slack' },
  { value: 'teams', label: 'Teams' },
]

/** A recipient's type, address, and the format of a webhook. */
export function TargetFields({
  type,
  typeProps,
  addressProps,
  formatProps,
  onRemove,
}: TargetFieldsProps) {
  const isWebhook = type === 'webhook'
  return (
    <Group align="flex-start" gap="sm">
      <Choice
        label="Send to"
        w={140}
        data={[
          { value: 'webhook', label: 'Webhook' },
          { value: 'email', label: 'E-mail' },
        ]}
        {...typeProps}
      />
      <TextInput
        label={isWebhook ? 'URL' : 'E-mail'}
        flex={1}
        miw={200}
        placeholder={isWebhook ? 'https://example.com/hook' : 'ann@example.com'}
        {...addressProps}
      />
      {isWebhook && formatProps && (
        <Choice label="Format" w={120} data={FORMATS} {...formatProps} />
      )}
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          mt={24}
          aria-label="Remove recipient"
          onClick={onRemove}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}
