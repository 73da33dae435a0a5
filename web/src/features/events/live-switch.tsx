import { Button, Group, Switch, Text } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { pluralize } from '#model/pluralize.ts'
import classes from './events.module.css'

interface LiveState {
  readonly isConnected: boolean
  readonly hasSkipped: boolean
}

interface LiveSwitchProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly live: LiveState
  readonly isPaused: boolean
}

export function LiveSwitch({ isOn, onChange, live, isPaused }: LiveSwitchProps) {
  return (
    <Group gap="xs">
      {isOn && (
        <Text size="xs" c="dimmed" role="status" visibleFrom="sm">
          {toWords(live, isPaused)}
        </Text>
      )}
      <Switch
        label="Live"
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Group>
  )
}

function toWords({ isConnected, hasSkipped }: LiveState, isPaused: boolean): string {
  if (!isConnected) return 'Connecting…'
  if (isPaused) return 'Paused while reading'
  return hasSkipped ? 'Showing a sample' : 'Listening'
}

interface NewEventsProps {
  readonly count: number
  readonly onShow: () => void
}

/** Sticks to the top while scrolling. */
export function NewEventsButton({ count, onShow }: NewEventsProps) {
  if (count === 0) return null
  return (
    <div className={classes.newEvents}>
      <Button
        size="xs"
        radius="xl"
        leftSection={<IconArrowUp size={14} aria-hidden />}
        onClick={() => {
          onShow()
          window.scrollTo({ top: 0 })
        }}
      >
        {pluralize(count, 'new event')}
      </Button>
    </div>
  )
}
