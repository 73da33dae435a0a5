import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyText } from './copy-button.tsx'
import classes from './panel.module.css'

interface ShownOnceProps {
  readonly value: string
  /** Noun in messages: "API key", "link". */
  readonly noun: string
  readonly children?: ReactNode
}

/** A secret that cannot be shown again. */
export function SecretOnce({ value, noun, children }: ShownOnceProps) {
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="light" icon={<IconAlertCircle size={18} />} role="status">
        <Text size="sm">Copy the {noun} now. This is shown only once.</Text>
      </Alert>
      <div className={classes.secret} data-testid="shown-once">
        {value}
      </div>
      <div>
        <CopyText value={value} label={`Copy ${noun}`} />
      </div>
      {children}
    </Stack>
  )
}
