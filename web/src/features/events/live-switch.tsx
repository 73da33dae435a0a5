import { Button, Group, Switch, Text } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import classes from './events.module.css'

interface LiveState {
  readonly isConnected: boolean
  readonly hasSkipped: boolean
}

interface LiveSwitchProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly live: LiveState
  readonly isHeld: boolean
}

export function LiveSwitch({ isOn, onChange, live, isHeld }: LiveSwitchProps) {
  return (
    <Group gap="xs">
      {isOn && (
        <Text size="xs" c="dimmed" role="status" visibleFrom="sm">
          {toWords(live, isHeld)}
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

function toWords({ isConnected, hasSkipped }: LiveState, isHeld: boolean): string {
  if (!isConnected) return 'Connecting…'
  if (isHeld) return 'Paused while you read'
  return hasSkipped ? 'More come in than are shown' : 'Listening'
}

interface NewEventsProps {
  readonly count: number
  readonly onShow: () => void
}

/** Stays in sight however far somebody has scrolled. */
export function NewEvents({ count, onShow }: NewEventsProps) {
  if (count === 0) return null
  return (
    <div className={classes.news}>
      <Button
        size="xs"
        radius="xl"
        leftSection={<IconArrowUp size={14} aria-hidden />}
        onClick={() => {
          onShow()
          window.scrollTo({ top: 0 })
        }}
      >
        {count === 1 ? '1 new event' : `${count} new events`}
      </Button>
    </div>
  )
}
