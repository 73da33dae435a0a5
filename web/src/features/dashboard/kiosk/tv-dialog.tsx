import { Button, Group, Modal, MultiSelect, NumberInput, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useDashboardSearch } from '../../dashboards/api.ts'

interface TvDialogProps {
  readonly dashboardId: number
  readonly onClose: () => void
}

/** Starts TV mode with this dashboard, or with several in turn. */
export function TvDialog({ dashboardId, onClose }: TvDialogProps) {
  const navigate = useNavigate()
  const found = useDashboardSearch('')
  const [others, setOthers] = useState<readonly string[]>([])
  const [seconds, setSeconds] = useState<number | string>(30)
  const start = () => {
    const rotate = others.length > 0 ? [dashboardId, ...others.map(Number)] : undefined
    const turn = rotate && { rotate, seconds: Number(seconds) || 30 }
    void navigate({
      to: '.',
      search: (before) => ({ ...before, kiosk: true as const, ...turn }),
      replace: true,
    })
  }
  return (
    <Modal opened onClose={onClose} title="TV mode">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <Stack gap="sm">
          <MultiSelect
            label="More dashboards"
            description="They take turns with this one."
            placeholder={others.length === 0 ? 'Only this dashboard' : undefined}
            data={(found.data?.results ?? [])
              .filter(({ id }) => id !== dashboardId)
              .map(({ id, name }) => ({ value: `${id}`, label: name || 'Untitled dashboard' }))}
            value={[...others]}
            onChange={setOthers}
            searchable
          />
          {others.length > 0 && (
            <NumberInput
              label="Seconds for each"
              min={5}
              max={3600}
              value={seconds}
              onChange={setSeconds}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" data-autofocus>
              Start TV mode
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
