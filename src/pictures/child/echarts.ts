import { BarChart, BoxplotChart, LineChart, MapChart, PieChart, SankeyChart } from 'echarts/charts'
import { GraphicComponent, GridComponent, LegendPlainComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { WORLD } from '#model/charts/world-map.ts'
import { toGeoJson } from '#model/world/geo-json.ts'

/** The parts of ECharts that pictures use. tools/compile.ts makes them one file, because the whole package is 62 MB. */
echarts.use([
  BarChart,
  BoxplotChart,
  LineChart,
  MapChart,
  PieChart,
  SankeyChart,
  GraphicComponent,
  GridComponent,
  LegendPlainComponent,
  SVGRenderer,
])
echarts.registerMap(WORLD, toGeoJson())

export { echarts }
