import { Menu } from '@mantine/core'
import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'

interface LazyMenuProps {
  /** Pixels. */
  readonly width: number
  readonly button: ReactElement<ComponentProps<'button'>>
  /** Renders the menu items. */
  readonly children: () => ReactNode
}

/** A menu that renders on first open: a page may have hundreds of menus. */
export function LazyMenu({ width, button, children }: LazyMenuProps) {
  const target = useRef<HTMLButtonElement>(null)
  const [isUsed, setUsed] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isUsed) return
    // the menu has a new button, which gets the focus back when the menu closes
    target.current?.focus()
    setOpen(true)
  }, [isUsed])
  const props = { ref: target, 'aria-haspopup': 'menu' } as const
  if (!isUsed) return cloneElement(button, { ...props, onClick: () => setUsed(true) })
  return (
    <Menu opened={isOpen} onChange={setOpen} width={width}>
      <Menu.Target>{cloneElement(button, props)}</Menu.Target>
      <Menu.Dropdown>{children()}</Menu.Dropdown>
    </Menu>
  )
}
