import { ActionIcon, Button, CopyButton, type MantineBreakpoint, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ComponentType } from 'react'

interface CopyProps {
  readonly value: string
  /** Button text or accessible name: "Copy link". */
  readonly label: string
}

export function CopyText({ value, label }: CopyProps) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={copy}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  )
}

interface CopyIconProps extends CopyProps {
  readonly icon?: ComponentType<{ size?: number }>
  readonly visibleFrom?: MantineBreakpoint
}

export function CopyIcon({ value, label, icon: Icon = IconCopy, ...visible }: CopyIconProps) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={copy} {...visible}>
            {copied ? <IconCheck size={16} /> : <Icon size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
