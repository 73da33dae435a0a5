import { describe, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app/app.ts'
import { QUERY } from '../../../test/support/data/visits.ts'

const series = [{ kind: 'EventsNode', event: 'visit' }]
const trends = (more: object) => ({ kind: 'TrendsQuery', series, ...more })
const shown = (trendsFilter: object) => trends({ trendsFilter })
const RULE = { operator: 'gt', value: 5, color: 'red' }
const node = (more: object) => trends({ series: [{ ...series[0], ...more }] })
const filter = (more: object) => trends({ properties: [{ key: 'k', value: 'v', ...more }] })
const breakdown = (breakdownFilter: object) => trends({ breakdownFilter })
const funnels = (more: object) => ({
  kind: 'FunnelsQuery',
  series: [...series, { kind: 'EventsNode', event: 'buy' }],
  ...more,
})
const retention = (more: object) => ({ kind: 'RetentionQuery', ...more })
const stickiness = (more: object) => ({ kind: 'StickinessQuery', series, ...more })
const lifecycle = (more: object) => ({ kind: 'LifecycleQuery', series, ...more })
const paths = (more: object) => ({ kind: 'PathsQuery', ...more })
const sql = (more: object) => ({ kind: 'HogQLQuery', query: 'select 1', ...more })

describe('a query', () => {
  it.each<[string, object]>([
    // options
    ['samplingFactor', trends({ samplingFactor: 0.1 })],
    ['aggregation_group_type_index', trends({ aggregation_group_type_index: 0 })],
    ['conversionGoal', trends({ conversionGoal: { actionId: 1 } })],
    ['date_range', trends({ date_range: { date_from: '-7d' } })],
    ['dateRange__from', trends({ dateRange: { from: '-7d' } })],
    ['compareFilter__compare_with', trends({ compareFilter: { compare_with: '-1w' } })],
    ['trendsFilter__compare', trends({ trendsFilter: { compare: true } })],
    [
      'trendsFilter__breakdown_histogram_bin_count',
      trends({ trendsFilter: { breakdown_histogram_bin_count: 5 } }),
    ],
    ['trendsFilter__aggregationAxisFormat', shown({ aggregationAxisFormat: 'money' })],
    ['trendsFilter__aggregationAxisCurrency', shown({ aggregationAxisCurrency: 'euro' })],
    ['trendsFilter__aggregationAxisPrefix', shown({ aggregationAxisPrefix: 'x'.repeat(51) })],
    ['trendsFilter__decimalPlaces', shown({ decimalPlaces: 1.5 })],
    ['trendsFilter__goalLines__0__value', shown({ goalLines: [{ label: 'Goal', value: '5' }] })],
    [
      'trendsFilter__goalLines__0__unit',
      shown({ goalLines: [{ label: '', value: 5, unit: 'x' }] }),
    ],
    ...[
      ['__0__color', { color: 'pink' }],
      ['__0__operator', { operator: 'is_not' }],
      ['__0__value', { value: '5' }],
      ['__0__unit', { unit: 'x' }],
      ['__0__to', { operator: 'between' }],
      ['__0__to', { operator: 'between', to: 4 }],
    ].map(([at, changed]): [string, object] => [
      `trendsFilter__colorRules${at}`,
      shown({ colorRules: [{ ...RULE, ...(changed as object) }] }),
    ]),
    ['trendsFilter__colorRules__0__column', shown({ colorRules: [{ ...RULE, column: 'a' }] })],
    ['trendsFilter__colorRules', shown({ colorRules: Array.from({ length: 21 }, () => RULE) })],
    ['trendsFilter__hiddenLegendIndexes__0', shown({ hiddenLegendIndexes: [-1] })],
    ['trendsFilter__lineShape', shown({ lineShape: 'round' })],
    ['trendsFilter__pieShape', shown({ pieShape: 'square' })],
    ['trendsFilter__numberLocale', shown({ numberLocale: 'xx' })],
    ['trendsFilter__movingAverageIntervals', shown({ movingAverageIntervals: 1 })],
    [
      'trendsFilter__resultCustomizations__0__color',
      shown({ resultCustomizations: { 0: { color: 'red' } } }),
    ],
    ['trendsFilter__showLegend', shown({ showLegend: 'yes' })],
    ['trendsFilter__tableCells', shown({ tableCells: 'pies' })],
    [
      'trendsFilter__detailedResultsAggregationType',
      shown({ detailedResultsAggregationType: 'mode' }),
    ],
    ['trendsFilter__yAxisLabel', shown({ yAxisLabel: 'x'.repeat(101) })],
    ['trendsFilter__yAxisMax', shown({ yAxisMax: '9' })],
    ['trendsFilter__yAxisScaleType', shown({ yAxisScaleType: 'log2' })],
    ['trendsFilter__lowerIsBetter', shown({ lowerIsBetter: 'yes' })],
    ['trendsFilter__minDecimalPlaces', shown({ minDecimalPlaces: 11 })],
    [
      'modifiers__personsOnEventsMode',
      trends({ modifiers: { personsOnEventsMode: 'person_id_override_properties_on_events' } }),
    ],
    [
      'modifiers__convertToProjectTimezone',
      trends({ modifiers: { convertToProjectTimezone: false } }),
    ],
    [
      'modifiers__bounceRateDurationSeconds',
      trends({ modifiers: { bounceRateDurationSeconds: 5 } }),
    ],
    // series
    ['series__0__kind', node({ kind: 'DataWarehouseNode', id: 1 })],
    ['series__0__id', trends({ series: [{ kind: 'ActionsNode' }] })],
    ['series__0__id', node({ kind: 'EventsNode', id: 1 })],
    ['series__0__event', node({ kind: 'ActionsNode', id: 1, event: 'a' })],
    ['series__0__rules', node({ rules: { type: 'AND', values: [{ key: 'a', value: 1 }] } })],
    ['series__0__id', trends({ series: [{ kind: 'ActionsNode', id: 99_999_999 }] })],
    ['series__0__math', node({ math: 'hogql', math_hogql: 'count()' })],
    [
      'series__0__math_property_type',
      node({ math: 'sum', math_property: 'x', math_property_type: 'session_properties' }),
    ],
    ['series__0__fixedProperties', node({ fixedProperties: [{ key: 'k', value: 'v' }] })],
    // filters
    ...['element', 'hogql', 'flag', 'feature', 'recording', 'data_warehouse', 'other'].map(
      (type): [string, object] => ['properties__0__type', filter({ type })],
    ),
    ['properties__0__operator', filter({ operator: 'sounds_like' })],
    ['properties__0__key', filter({ type: 'event_metadata', key: 'timestamp' })],
    ['properties__0__key', filter({ type: 'session', key: 'browser' })],
    [
      'properties__values__0__values__0__type',
      trends({
        properties: {
          type: 'AND',
          values: [{ type: 'OR', values: [{ key: 'k', value: 1, type: 'element' }] }],
        },
      }),
    ],
    [
      'properties__values__0__negation',
      trends({ properties: { type: 'AND', values: [{ key: 'k', value: 1, negation: true }] } }),
    ],
    [
      'series__0__properties__0__type',
      node({ properties: [{ key: 'id', value: 1, type: 'element' }] }),
    ],
    // breakdowns
    ['breakdownFilter__breakdown_type', breakdown({ breakdown: 'x', breakdown_type: 'hogql' })],
    [
      'breakdownFilter__breakdowns__0__type',
      breakdown({ breakdowns: [{ property: 'x', type: 'hogql' }] }),
    ],
    [
      'breakdownFilter__breakdowns__0__histogram_bin_count',
      breakdown({ breakdowns: [{ property: 'x', histogram_bin_count: 5 }] }),
    ],
    [
      'breakdownFilter__breakdown_histogram_bin_count',
      breakdown({ breakdown: 'x', breakdown_histogram_bin_count: 5 }),
    ],
    [
      'breakdownFilter__breakdown_normalize_url',
      breakdown({ breakdown: 'x', breakdown_normalize_url: true }),
    ],
    [
      'breakdownFilter__breakdown',
      breakdown({ breakdown: 'elements', breakdown_type: 'event_metadata' }),
    ],
    // kinds
    [
      'series__0__math',
      funnels({ series: [{ event: 'a', math: 'first_time_for_user' }, { event: 'b' }] }),
    ],
    [
      'series__1__optionalInFunnel',
      funnels({ series: [{ event: 'a' }, { event: 'b', optionalInFunnel: true }] }),
    ],
    [
      'funnelsFilter__exclusions',
      funnels({
        funnelsFilter: { exclusions: [{ event: 'c', funnelFromStep: 0, funnelToStep: 1 }] },
      }),
    ],
    [
      'funnelsFilter__funnelAggregateByHogQL',
      funnels({ funnelsFilter: { funnelAggregateByHogQL: 'properties.$session_id' } }),
    ],
    [
      'retentionFilter__minimumOccurrences',
      retention({ retentionFilter: { minimumOccurrences: 2 } }),
    ],
    [
      'retentionFilter__timeWindowMode',
      retention({ retentionFilter: { timeWindowMode: '24_hour_windows' } }),
    ],
    [
      'retentionFilter__targetEntity__type',
      retention({ retentionFilter: { targetEntity: { id: '1', type: 'groups' } } }),
    ],
    [
      'retentionFilter__targetEntity__id',
      retention({ retentionFilter: { targetEntity: { id: 'a', type: 'actions' } } }),
    ],
    [
      'retentionFilter__returningEntity__id',
      retention({ retentionFilter: { returningEntity: { id: 7 } } }),
    ],
    [
      'retentionFilter__returningEntity__id',
      retention({ retentionFilter: { returningEntity: { id: 7, type: 'events' } } }),
    ],
    [
      'breakdownFilter__breakdown',
      retention({ breakdownFilter: { breakdown: '$os', breakdown_type: 'event' } }),
    ],
    ['series__0__math', lifecycle({ series: [{ event: 'a', math: 'sum', math_property: 'x' }] })],
    ['intervalCount', stickiness({ intervalCount: 3 })],
    [
      'series__0__math',
      funnels({ series: [{ event: 'a', math: 'unique_group' }, { event: 'b' }] }),
    ],
    ['pathsFilter__pathReplacements', paths({ pathsFilter: { pathReplacements: true } })],
    ['pathsFilter__includeEventTypes__0', paths({ pathsFilter: { includeEventTypes: ['hogql'] } })],
    [
      'funnelPathsFilter',
      paths({ funnelPathsFilter: { funnelPathType: 'funnel_path_before_step' } }),
    ],
    // SQL
    ['values', sql({ values: { x: 1 } })],
    ['connectionId', sql({ connectionId: 'other' })],
    ['filters__dateRange__date_from', sql({ filters: { dateRange: { date_from: 'soon' } } })],
    [
      'filters__properties__0__type',
      sql({ filters: { properties: [{ key: 'k', value: 1, type: 'element' }] } }),
    ],
    ['filters__breakdown', sql({ filters: { breakdown: 'x' } })],
    ['variables__a__type', sql({ variables: { a: { code_name: 'a', type: 'List' } } })],
    ['query', sql({ query: 'select {variables.missing}' })],
  ])('is refused at %s: %j', async (attr, query) => {
    const api = await useApp()

    const { status, body } = await api.post(QUERY, { query })

    expect([status, body.attr]).toEqual([400, `query__${attr}`])
  })

  it.each<[string, object]>([
    [
      'trends',
      trends({
        version: 2,
        response: { results: [] },
        tags: { scene: 'Insight' },
        dataColorTheme: 3,
        samplingFactor: null,
        aggregation_group_type_index: null,
        modifiers: { debug: true, personsOnEventsMode: 'person_id_override_properties_joined' },
        series: [{ ...series[0], version: 1, math_group_type_index: null, fixedProperties: [] }],
        breakdownFilter: { breakdown_type: 'event', breakdown_normalize_url: false },
        compareFilter: { compare: false },
        trendsFilter: {
          display: 'ActionsLineGraph',
          showLegend: true,
          aggregationAxisFormat: 'numeric',
          yAxisScaleType: 'log10',
          goalLines: [{ label: 'Goal', value: 5 }],
          resultCustomizations: { 0: { color: 'preset-1' } },
          hiddenLegendIndexes: [1],
        },
        properties: [{ key: 'k', value: 'v', type: 'event', label: 'K' }],
      }),
    ],
    [
      'funnels',
      funnels({
        funnelsFilter: {
          layout: 'horizontal',
          exclusions: [],
          funnelStepReference: 'total',
          funnelAggregateByHogQL: 'person_id',
        },
      }),
    ],
    [
      'retention',
      retention({
        breakdownFilter: { breakdown_type: 'event' },
        retentionFilter: {
          meanRetentionCalculation: 'weighted',
          retentionReference: 'total',
          display: 'ActionsLineGraph',
          minimumOccurrences: 1,
          targetEntity: { id: 'a', type: 'events', order: 0, uuid: 'x' },
        },
      }),
    ],
    ['lifecycle', lifecycle({ lifecycleFilter: { showLegend: true, stacked: true } })],
    ['stickiness', stickiness({ intervalCount: 1, stickinessFilter: { showMultipleYAxes: true } })],
    [
      'paths',
      paths({
        pathsFilter: { pathReplacements: false, localPathCleaningFilters: [], showFullUrls: true },
      }),
    ],
    ['SQL', sql({ explain: true, name: 'One', filters: {}, variables: {}, values: {} })],
  ])('of kind %s accepts display settings', async (_, query) => {
    const api = await useApp()

    const { status, body } = await api.post(QUERY, { query })

    expect([status, body.detail]).toEqual([200, undefined])
  })

  it.each([
    ['colorRules__0__color', { colorRules: [{ ...RULE, color: 'pink' }] }],
    ['colorRules__0__to', { colorRules: [{ ...RULE, operator: 'between', to: 4 }] }],
    ['colorRules__0__unit', { colorRules: [{ ...RULE, unit: 'x' }] }],
    ['tableCells', { tableCells: 'pies' }],
  ])('of kind SQL is refused with %s that nobody can draw', async (field, chartSettings) => {
    const api = await useApp()
    const node = { kind: 'DataVisualizationNode', source: sql({}), chartSettings }

    const { status, body } = await api.post(QUERY, { query: node })

    expect([status, body.attr]).toEqual([400, `query__chartSettings__${field}`])
  })

  it('of kind SQL accepts settings of its chart, and those that only PostHog draws', async () => {
    const api = await useApp()
    const chartSettings = {
      ...{ colorRules: [{ ...RULE, column: 'a' }], tableCells: 'bars', goalLines: null },
      leftYAxisSettings: { scale: 'linear' },
    }
    const node = { kind: 'DataVisualizationNode', source: sql({}), chartSettings }

    const { status, body } = await api.post(QUERY, { query: node })

    expect([status, body.results]).toEqual([200, [[1]]])
  })

  it('is refused with an override that cannot be applied', async () => {
    const api = await useApp()

    const { status, body } = await api.post(QUERY, {
      query: trends({}),
      filters_override: { date_from: '-7d', breakdown_filter: { breakdown: 'x' } },
    })

    expect([status, body.attr]).toEqual([400, 'filters_override__breakdown_filter'])
  })
})
