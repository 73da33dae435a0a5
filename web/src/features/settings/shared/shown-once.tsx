import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyText } from '../../../ui/copy-button.tsx'
import classes from '../settings.module.css'

interface ShownOnceProps {
  readonly value: string
  /** "API key", "link". */
  readonly noun: string
  readonly children?: ReactNode
}

/** What only this answer tells, and nobody ever again. */
export function ShownOnce({ value, noun, children }: ShownOnceProps) {
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="light" icon={<IconAlertCircle size={18} />} role="status">
        <Text size="sm">Copy the {noun} now: it is not kept, and cannot be shown again.</Text>
      </Alert>
      <div className={classes.code} style={{ whiteSpace: 'normal' }}>
        <span className={classes.secret} data-testid="shown-once">
          {value}
        </span>
      </div>
      <div>
        <CopyText value={value} label={`Copy the ${noun}`} />
      </div>
      {children}
    </Stack>
  )
}
