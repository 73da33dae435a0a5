import { MapChart } from 'echarts/charts'
import { registerMap, use } from 'echarts/core'
import { WORLD } from '#model/charts/world-map.ts'
import { toGeoJson } from '#model/world/geo-json.ts'

// draws maps; a file of its own, because of the shapes of all countries
use(MapChart)
registerMap(WORLD, toGeoJson())
