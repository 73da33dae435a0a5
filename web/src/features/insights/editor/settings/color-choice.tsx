import { ColorSwatch, Popover, SimpleGrid, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

interface ColorChoiceProps {
  readonly label: string
  readonly color: string
  readonly colors: readonly { readonly color: string; readonly name: string }[]
  readonly onChoose: (index: number) => void
}

/** A swatch that opens the colors to choose from. */
export function ColorChoice({ label, color, colors, onChoose }: ColorChoiceProps) {
  const [isOpen, { toggle, close }] = useDisclosure()
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-start" trapFocus>
      <Popover.Target>
        <UnstyledButton aria-label={label} onClick={toggle}>
          <ColorSwatch color={color} size={18} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <SimpleGrid cols={5} spacing={8}>
          {colors.map((each, at) => (
            <UnstyledButton
              key={each.name}
              aria-label={each.name}
              onClick={() => {
                onChoose(at)
                close()
              }}
            >
              <ColorSwatch color={each.color} size={22} />
            </UnstyledButton>
          ))}
        </SimpleGrid>
      </Popover.Dropdown>
    </Popover>
  )
}
