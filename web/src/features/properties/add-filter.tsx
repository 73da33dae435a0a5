import { Button, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilterPlus } from '@tabler/icons-react'
import { type ComponentType, useRef } from 'react'
import type { FilterFormProps } from './filter-form.tsx'
import type { SavedFilter } from './filters-model.ts'

interface AddFilterProps {
  /** `FilterForm`, loaded in the way that suits the page. */
  readonly Form: ComponentType<FilterFormProps>
  readonly onAdd: (filter: SavedFilter) => void
}

/** A button that opens the form of a new filter. */
export function AddFilter({ Form, onAdd }: AddFilterProps) {
  const [isOpen, { toggle, close }] = useDisclosure()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Popover
      opened={isOpen}
      onChange={close}
      position="bottom-start"
      width={300}
      trapFocus
      // the form does, unless Escape closes a list in it
      closeOnEscape={false}
    >
      <Popover.Target>
        <Button
          ref={button}
          className="no-print"
          size="xs"
          variant="default"
          leftSection={<IconFilterPlus size={16} />}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          Add filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Form
          onAdd={(filter) => {
            onAdd(filter)
            close()
          }}
          onCancel={() => {
            close()
            button.current?.focus()
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
