import { useWindowEvent } from '@mantine/hooks'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import type { SearchValue } from '../../dashboard-list/search.ts'

const FilterPills = lazyComponent(
  async () => (await import('../../properties/filter-pills.tsx')).FilterPills,
)

/** Escape closes these first. */
const OPEN = '[role="dialog"], [role="menu"], [role="listbox"]'

interface ValueFilterPillProps {
  readonly value: SearchValue
  readonly onRemove: () => void
}

/** The value that was clicked in a tile, until Escape or its button removes it. */
export function ValueFilterPill({ value, onRemove }: ValueFilterPillProps) {
  const clear = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea')
    if (event.key === 'Escape' && !isTyping && !document.querySelector(OPEN)) onRemove()
  }
  // before others handle the key, and close what is open
  useWindowEvent('keydown', clear, { capture: true })
  return <FilterPills filters={value.properties} onRemove={onRemove} />
}
