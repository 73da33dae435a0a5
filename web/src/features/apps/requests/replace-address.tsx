import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { DangerDialog } from '../../../ui/dialog/danger-dialog.tsx'
import { notify } from '../../../ui/dialog/notify.ts'
import { useReplaceAddress } from './api.ts'

/** The seconds for which the old address can work. */
const GRACE_PERIODS = [
  { value: '0', label: 'Stops at once' },
  { value: '3600', label: 'Works for 1 hour' },
  { value: '86400', label: 'Works for 1 day' },
]

interface ReplaceAddressProps {
  readonly configId: number
  readonly onClose: () => void
}

export function ReplaceAddress({ configId, onClose }: ReplaceAddressProps) {
  const replace = useReplaceAddress(configId)
  const [grace, setGrace] = useState('3600')
  const confirm = () =>
    replace.mutate(Number(grace), {
      onSuccess: () => {
        notify({ message: 'Address replaced.' })
        onClose()
      },
    })
  return (
    <DangerDialog
      title="Replace address?"
      yes="Replace address"
      running={replace}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">Copy the new address into the other service.</Text>
      <Radio.Group label="Old address" value={grace} onChange={setGrace}>
        <Stack gap="xs" mt={4}>
          {GRACE_PERIODS.map((period) => (
            <Radio key={period.value} {...period} />
          ))}
        </Stack>
      </Radio.Group>
    </DangerDialog>
  )
}
