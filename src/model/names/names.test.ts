import { describe, expect, it } from 'vitest'
import { EVENT_DESCRIPTIONS } from './event-descriptions.ts'
import { labelValues, toEventLabel, toValueLabel } from './event-label.ts'
import { EVENT_LABELS } from './events.ts'
import { PROPERTIES } from './properties.ts'
import { describeProperty, toPropertyLabel } from './property-label.ts'

const LABELS = {
  events: Object.values(EVENT_LABELS),
  properties: Object.values(PROPERTIES).map(([label]) => label),
}

describe('labels of events', () => {
  it.each([
    ['$pageview', 'Page view'],
    ['survey sent', 'Survey sent'],
    ['signed up', 'signed up'],
    ['Page view', 'Page view (custom)'],
    ['$unknown', '$unknown'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
  ])('shows %s as %s', (name, label) => {
    expect(toEventLabel(name)).toBe(label)
  })

  it('describe each event', () => {
    expect(Object.keys(EVENT_DESCRIPTIONS)).toEqual(Object.keys(EVENT_LABELS))
  })
})

describe('labels of properties', () => {
  it.each([
    ['$browser', 'Browser'],
    ['$geoip_country_name', 'Country'],
    ['$initial_geoip_country_name', 'Initial country'],
    ['$initial_utm_source', 'Initial UTM source'],
    ['$initial_gclid', 'Initial Google click ID'],
    ['$session_entry_current_url', 'Session entry current URL'],
    ['$feature/new-nav', 'Feature flag: new-nav'],
    ['$initial_plan', '$initial_plan'],
    ['$feature/', '$feature/'],
    ['plan', 'plan'],
    ['Browser', 'Browser (custom)'],
    ['Initial browser', 'Initial browser (custom)'],
    ['toString', 'toString'],
    ['$initial_constructor', '$initial_constructor'],
  ])('shows %s as %s', (name, label) => {
    expect(toPropertyLabel(name)).toBe(label)
  })

  it('describe copies by their originals', () => {
    expect(describeProperty('$initial_browser')).toBe('First value. Name of the browser.')
    expect(describeProperty('plan')).toBeUndefined()
  })
})

it.each(Object.entries(LABELS))('shows no two %s under one label', (_, labels) => {
  expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
})

describe('labels of values', () => {
  it.each([
    ['$direct', 'Direct'],
    ['Chrome::$direct', 'Chrome::Direct'],
    ['$pageview', 'Page view'],
    ['US$', 'US$'],
    ['survey sent', 'survey sent'],
  ])('shows %s as %s', (value, label) => {
    expect(toValueLabel(value)).toBe(label)
  })

  it('keep the value if another value is called like its label', () => {
    const label = labelValues(['$direct', 'Direct', undefined])

    expect(['$direct', 'Direct'].map(label)).toEqual(['$direct', 'Direct'])
  })
})
