import { Modal, ScrollArea, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { toInsightTitle } from '#model/insight-title.ts'
import type { ListPage } from '../../api/client.ts'
import { QueryContent } from '../../ui/page/states.tsx'
import classes from './page.module.css'

interface Named {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly derived_name?: string | null
}

interface PickDialogProps<T extends Named> {
  readonly title: string
  /** Plural noun: "insights". */
  readonly things: string
  readonly useFound: (search: string) => {
    readonly data: ListPage<T> | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
  }
  readonly isOffered?: (one: T) => boolean
  readonly onPick: (one: T) => void
  readonly onClose: () => void
}

/** Searches by name and picks one. */
export function PickDialog<T extends Named>({
  title,
  things,
  useFound,
  isOffered = () => true,
  onPick,
  onClose,
}: PickDialogProps<T>) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const found = useFound(search)
  return (
    <Modal opened onClose={onClose} title={title} size="md">
      <TextInput
        data-autofocus
        aria-label={`Search ${things}`}
        placeholder={`Search ${things}`}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        mb="sm"
      />
      <QueryContent query={found}>
        {({ results }) => {
          const offered = results.filter(isOffered)
          if (offered.length === 0) {
            return (
              <Text size="sm" c="dimmed" py="md" ta="center">
                {search ? `No ${things} match.` : `No other ${things} yet.`}
              </Text>
            )
          }
          return (
            <ScrollArea.Autosize mah={360}>
              <Stack gap={2}>
                {offered.map((one) => (
                  <UnstyledButton
                    key={one.id}
                    className={classes.picked}
                    onClick={() => {
                      onPick(one)
                      onClose()
                    }}
                  >
                    <Text size="sm" fw={500}>
                      {toInsightTitle(one)}
                    </Text>
                    {one.description && (
                      <Text size="xs" c="dimmed" lineClamp={1}>
                        {one.description}
                      </Text>
                    )}
                  </UnstyledButton>
                ))}
              </Stack>
            </ScrollArea.Autosize>
          )
        }}
      </QueryContent>
    </Modal>
  )
}
