/** The type of a property, as definitions name it. */
type PropertyType = 'String' | 'Numeric' | 'Boolean' | 'DateTime'

/** The properties of type `session`, by PostHog's names and in the order of lists. */
export const SESSION_PROPERTIES: Readonly<Record<string, PropertyType>> = {
  $channel_type: 'String',
  $entry_pathname: 'String',
  $exit_pathname: 'String',
  $entry_referring_domain: 'String',
  $entry_utm_source: 'String',
  $entry_utm_medium: 'String',
  $entry_utm_campaign: 'String',
  $entry_utm_term: 'String',
  $entry_utm_content: 'String',
  $session_duration: 'Numeric',
  $is_bounce: 'Boolean',
  $pageview_count: 'Numeric',
  $screen_count: 'Numeric',
  $autocapture_count: 'Numeric',
  $event_count: 'Numeric',
  $start_timestamp: 'DateTime',
  $end_timestamp: 'DateTime',
  $entry_current_url: 'String',
  $exit_current_url: 'String',
}

/** Returns the name of a session property; undefined if sessions have none. SQL and PostHog's newer tables call the exit the end. */
export function findSessionProperty(key: string): string | undefined {
  const name = key.replace(/^\$end_(?=pathname$|current_url$)/, '$$exit_')
  return Object.hasOwn(SESSION_PROPERTIES, name) ? name : undefined
}
