import { Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Card } from '../../ui/page/card.tsx'
import { EventName } from '../../ui/page/known-name.tsx'
import { QueryContent } from '../../ui/page/states.tsx'
import { type ActionStep, useMatchingEvents } from '../actions/api.ts'
import { EventTime } from '../events/event-time.tsx'
import classes from './actions.module.css'
import { isStepComplete } from './steps.ts'

const WAIT_MS = 400

/** Lists the newest events that match the steps of a form. */
export function MatchingEvents({ steps }: { readonly steps: readonly ActionStep[] }) {
  const [settled] = useDebouncedValue(steps, WAIT_MS)
  const complete = settled.filter(isStepComplete)
  const events = useMatchingEvents(complete)
  return (
    <section aria-label="Matching events">
      <Title order={2} size="h4" mb="xs">
        Matching events
      </Title>
      {complete.length === 0 ? (
        <Text c="dimmed">Choose an event, or type a URL or text, to see what matches.</Text>
      ) : (
        <QueryContent query={events}>
          {(found) =>
            found.length === 0 ? (
              <Text c="dimmed">No event matches yet.</Text>
            ) : (
              <Card p={0}>
                <ul className={classes.events}>
                  {found.map(({ id, event, distinct_id, timestamp, properties }) => (
                    <li key={id} className={classes.event}>
                      <div>
                        <Text size="sm" fw={500} component="div">
                          <EventName name={event} />
                        </Text>
                        <Text size="xs" c="dimmed" component="div">
                          {toPlace(properties) ?? distinct_id}
                        </Text>
                      </div>
                      <Text size="xs" c="dimmed" className="tabular" component="div">
                        <EventTime time={timestamp} />
                      </Text>
                    </li>
                  ))}
                </ul>
              </Card>
            )
          }
        </QueryContent>
      )}
    </section>
  )
}

const PLACES = ['$el_text', '$current_url']

/** Returns what an event says about where it happened. */
function toPlace(properties: Readonly<Record<string, unknown>>): string | undefined {
  const texts = PLACES.map((key) => properties[key]).filter((value) => typeof value === 'string')
  return texts.length > 0 ? texts.join(' · ') : undefined
}
