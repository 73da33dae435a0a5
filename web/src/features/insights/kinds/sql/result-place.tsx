import { useLocalStorage } from '@mantine/hooks'
import { IconLayoutColumns, IconLayoutRows } from '@tabler/icons-react'
import { ToolButton } from './tool-button.tsx'

type Place = 'beside' | 'below'

/** Reads and keeps where this browser shows the result of SQL on wide screens. Anyone could have edited what is kept. */
const useResultPlace = () =>
  useLocalStorage<Place>({
    key: 'hedgerow-sql-result',
    defaultValue: 'beside',
    deserialize: (kept) => (kept === 'below' ? 'below' : 'beside'),
    serialize: (place) => place,
    getInitialValueInEffect: false,
  })

export const useIsBeside = (): boolean => useResultPlace()[0] === 'beside'

/** Puts the result beside or below the editor. Narrow screens have room for one way only. */
export function ResultPlaceButton() {
  const [place, setPlace] = useResultPlace()
  const [next, label, Icon] =
    place === 'beside'
      ? (['below', 'Result below', IconLayoutRows] as const)
      : (['beside', 'Result beside', IconLayoutColumns] as const)
  return (
    <ToolButton
      tooltip={`Show the result ${next} the editor`}
      visibleFrom="lg"
      leftSection={<Icon size={14} />}
      onClick={() => setPlace(next)}
    >
      {label}
    </ToolButton>
  )
}
