import { BarChart, LineChart, PieChart, SankeyChart } from 'echarts/charts'
import { GraphicComponent, GridComponent, LegendPlainComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

/** The parts of ECharts that pictures use. tools/compile.ts makes them one file, because the whole package is 62 MB. */
echarts.use([
  BarChart,
  LineChart,
  PieChart,
  SankeyChart,
  GraphicComponent,
  GridComponent,
  LegendPlainComponent,
  SVGRenderer,
])

export { echarts }
