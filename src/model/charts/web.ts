import { type DrawChart, NO_EVENTS } from '../chart.ts'
import { toFiguresView, toPairView } from '../query-kinds/web-rows.ts'
import { message } from './parts.ts'
import { drawTable } from './table.ts'

const drawView =
  (toView: typeof toPairView): DrawChart =>
  (chart, frame) => {
    const view = toView(chart)
    return view ? drawTable(frame, view) : message(frame, NO_EVENTS)
  }

/** Draw the results of web analytics as tables, for pictures. */
export const drawFigures = drawView(toFiguresView)
export const drawPairs = drawView(toPairView)
