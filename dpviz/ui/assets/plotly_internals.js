// Every use of Plotly's private API. tests/ui/test_streamlit_internals.py fails where the version of
// Plotly that Streamlit brings has other names.
const isDrawn = (chart) => Boolean(chart?._fullLayout?.xaxis?._length && window.Plotly);
const layoutOf = (chart) => chart._fullLayout;
const traceOf = (chart, index) => chart._fullData?.at(index);
const hasTraces = (chart) => Boolean(chart._fullData);
const lengthOf = (axis) => axis._length; // px
const offsetOf = (axis) => axis._offset; // px from the chart's left or top
const framesOf = (chart) => chart._transitionData?._frames;
const frameNamed = (chart, name) => chart._transitionData?._frameHash?.[name];
const configOf = (chart) => chart._context;

// Where a double click and the button that resets the axes lead.
function setHome(chart, name, { range, autorange }) {
  const axis = chart._fullLayout[name];
  [axis._rangeInitial0, axis._rangeInitial1] = autorange ? [undefined, undefined] : range;
}
