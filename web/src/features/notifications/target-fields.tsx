import { ActionIcon, Group, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { IconX } from '@tabler/icons-react'
import { Choice } from '../../ui/form/choice.tsx'
import type { TargetValues } from './target-values.ts'

interface TargetFieldsProps {
  readonly type: TargetValues['type']
  readonly typeProps: GetInputPropsReturnType
  readonly addressProps: GetInputPropsReturnType
  readonly onRemove?: (() => void) | undefined
}

/** A recipient's type and address. */
export function TargetFields({ type, typeProps, addressProps, onRemove }: TargetFieldsProps) {
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
